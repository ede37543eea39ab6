import { createHash } from "node:crypto"
import { readdir, readFile, stat } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

/** Everything that decides what an empty database looks like. */
const ingredients = async (): Promise<ReadonlyArray<string>> => {
  const files = (await readdir("src/sql", { recursive: true })).filter((name) => /\.(?:ts|sql)$/.test(name))
  return ["node_modules/@electric-sql/pglite/package.json", ...files.map((name) => join("src/sql", name))]
}

/** The folder with an empty database for this state of the schema, whether or not it is there yet. */
export const emptyStoreFolder = async (): Promise<string> => {
  const hash = createHash("sha256")
  for (const file of (await ingredients()).toSorted()) hash.update(file).update(await readFile(file))
  return join(tmpdir(), `docflow-empty-store-${userInfo().uid}-${hash.digest("hex").slice(0, 16)}`)
}

export const exists = (folder: string): Promise<boolean> =>
  stat(folder).then(
    () => true,
    () => false
  )
