import { read } from "./Files.ts"

/** What package-lock.json says of one package, with the folder it goes to. */
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

/** The packages of package-lock.json, without the project itself. */
export const lockEntries = (): ReadonlyArray<LockEntry> => {
  const lock: { packages: Record<string, Omit<LockEntry, "path">> } = JSON.parse(read("package-lock.json"))
  return Object.entries(lock.packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => Object.assign(entry, { path }))
}
