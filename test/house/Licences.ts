import { existsSync } from "node:fs"
import { read, root } from "./Files.ts"
import type { LockEntry } from "./Lock.ts"

/** Licences that let anyone use docflow in a closed product, or that bind only changes to the package itself. */
const accepted = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "CC-BY-4.0",
  "ISC",
  "LGPL-2.1-or-later",
  "LGPL-3.0",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "PostgreSQL",
  "Python-2.0",
  "Unlicense",
  "Zlib"
])

/** Whether an SPDX expression lets docflow use the package: of `OR` one side is enough, of `AND` every side counts. */
export const isAccepted = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((choice) =>
      choice
        .replace(/[()]/g, "")
        .split(" AND ")
        .every((name) => accepted.has(name.trim()))
    )

/** The licence that an installed package states itself, else the one in the lock file (other platforms' packages). */
export const licenceOf = (entry: LockEntry): string => {
  const manifest = `${entry.path}/package.json`
  const installed: { license?: string | { type: string } } = existsSync(new URL(manifest, root))
    ? JSON.parse(read(manifest))
    : {}
  const stated = typeof installed.license === "object" ? installed.license.type : installed.license
  return stated ?? entry.license ?? "none stated"
}
