import { globSync, readFileSync } from "node:fs"

/** The folder of the project, with a slash at its end. */
export const root = new URL("../../", import.meta.url)

/** The project's text file of that name. */
export const read = (name: string): string => readFileSync(new URL(name, root), "utf8")

/** The TypeScript files under the given folders, by their path from the project's folder, sorted. */
export const typescriptIn = (...folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: root }
  )
    .filter((file) => !file.includes("/node_modules/"))
    .toSorted()

/** The Markdown files of the project's folder and of the given folders, sorted. */
export const markdownIn = (...folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  globSync(["*.md", ...folders.map((folder) => `${folder}/**/*.md`)], { cwd: root }).toSorted()
