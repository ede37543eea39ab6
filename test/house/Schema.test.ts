import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"

const git = (folder: string, ...words: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("git", words, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
    .toString()
    .split("\n")
    .filter((line) => line !== "")

const tagsOf = (folder: string): ReadonlyArray<string> => {
  try {
    return git(folder, "tag")
  } catch {
    // A package or an archive without a history.
    return []
  }
}

/** Files of the schema that are not as they were released; a new one is a migration with a number. */
const changedSinceRelease = (folder: string): ReadonlyArray<string> =>
  tagsOf(folder).flatMap((tag) =>
    git(folder, "diff", "--no-renames", "--name-only", tag, "--", "src/sql/schema").filter(
      (file) =>
        !/\/\d{4}_[a-z_]+\.sql$/u.test(file) || git(folder, "ls-tree", "--name-only", tag, file).length > 0
    )
  )

it("never changes a migration that was released", () => {
  expect(changedSinceRelease(".")).toEqual([])
})

it("would notice a released migration that changes", () => {
  const folder = mkdtempSync(join(tmpdir(), "docflow-tags-"))
  const write = (file: string, text: string) => {
    const path = join(folder, "src/sql/schema", file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    git(folder, "add", ".")
  }
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.com"]
  git(folder, "init")
  write("tables.sql", "create table a ();")
  git(folder, ...author, "commit", "-m", "First")
  write("tables.sql", "create table b ();")
  expect(changedSinceRelease(folder)).toEqual([])
  git(folder, ...author, "commit", "-m", "Second")
  git(folder, "tag", "v1.0.0")
  write("0002_more.sql", "create table c ();")
  expect(changedSinceRelease(folder)).toEqual([])
  git(folder, ...author, "commit", "-m", "Third")
  git(folder, "tag", "v1.1.0")
  write("tables.sql", "create table d ();")
  write("0002_more.sql", "create table e ();")
  write("extra.sql", "create table f ();")
  expect(new Set(changedSinceRelease(folder))).toEqual(
    new Set(["tables.sql", "0002_more.sql", "extra.sql"].map((file) => `src/sql/schema/${file}`))
  )
  rmSync(folder, { recursive: true })
})
