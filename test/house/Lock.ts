import { read } from "./Files.ts"

/** What a lock file says of one package, with the folder it goes to. */
export interface LockEntry {
  readonly path: string
  readonly version: string
  readonly license?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The packages of a lock file. */
export const lockEntries = (file = "package-lock.json"): ReadonlyArray<LockEntry> => {
  const packages: Record<string, Omit<LockEntry, "path">> = JSON.parse(read(file)).packages
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => Object.assign(entry, { path }))
}
