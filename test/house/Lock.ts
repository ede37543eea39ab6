import { read } from "./Files.ts"

/** What package-lock.json says of one package, with the folder it goes to. */
export interface LockEntry {
  readonly path: string
  readonly version: string
  readonly license?: string
  readonly resolved?: string
  /** That it is a folder of this repository. */
  readonly link?: boolean
  readonly integrity?: string
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lockedPackages = (): Record<string, Omit<LockEntry, "path">> =>
  JSON.parse(read("package-lock.json")).packages

/** The packages of package-lock.json that come from a registry. */
export const lockEntries = (): ReadonlyArray<LockEntry> => {
  return Object.entries(lockedPackages())
    .filter(([path, entry]) => path.includes("node_modules/") && entry.link !== true)
    .map(([path, entry]) => Object.assign(entry, { path }))
}

/** Where package-lock.json installs folders of this repository. */
export const lockedLinks = (): ReadonlyArray<string> =>
  Object.entries(lockedPackages()).flatMap(([path, { link }]) => (link === true ? [path] : []))
