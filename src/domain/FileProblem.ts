import { Effect, FileSystem, type PlatformError } from "effect"

/** Why a file could not be read or written, as a clause, and what to do. */
export interface FileProblem {
  readonly reason: string
  readonly advice: string
}

const known: Readonly<Record<string, FileProblem>> = {
  EACCES: { reason: "permission denied", advice: "Check the permissions of the file and of its folder" },
  EEXIST: { reason: "it exists already", advice: "Move it away, or choose another place" },
  EISDIR: { reason: "it is a folder", advice: "Give the path of a file" },
  ELOOP: { reason: "its links lead in a circle", advice: "Replace the links" },
  ENOENT: { reason: "it does not exist", advice: "Check the path" },
  ENOSPC: { reason: "the disk is full", advice: "Make room, or choose another place" },
  ENOTDIR: { reason: "a part of its path is a file, not a folder", advice: "Check the path" }
}

const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return "code" in error && typeof error.code === "string" ? error.code : codeOf(error.cause)
}

/** Explains an error of the file system. */
export const fileProblem = (error: unknown): FileProblem => {
  const code = codeOf(error)
  const found = code === undefined ? undefined : known[code === "EPERM" ? "EACCES" : code]
  return found ?? { reason: code ?? String(error), advice: "Check the path" }
}

/** `flow.yaml cannot be read: permission denied. …`; `given` replaces what to do. */
export const cannotRead = (file: string, error: unknown, given?: string): string => {
  const { advice, reason } = fileProblem(error)
  return `${file} cannot be read: ${reason}. ${given ?? advice}`
}

/** `out/table.csv cannot be written: permission denied. …`. */
export const cannotWrite = (file: string, error: unknown): string => {
  const { advice, reason } = fileProblem(error)
  return `${file} cannot be written: ${reason}. ${advice}`
}

const kinds: Partial<Readonly<Record<FileSystem.File.Type, string>>> = {
  BlockDevice: "it is a device",
  CharacterDevice: "it is a device",
  Directory: "it is a folder",
  FIFO: "it is a named pipe",
  Socket: "it is a socket"
}

/** Why a path found in a folder has no information, as a clause; undefined if it is gone. */
export const whyNotFound = (error: PlatformError.PlatformError): string | undefined =>
  error.reason._tag === "NotFound" ? undefined : fileProblem(error).reason

/** Why a path found in a folder is not opened, as a clause: reading anything but a file may never end. */
export const whyNotRead = ({ type }: FileSystem.File.Info): string | undefined =>
  type === "File" ? undefined : (kinds[type] ?? "it is not a file")

/** Why a path found in a folder is not opened; undefined for a file, and for a path that is gone. */
export const notAFile = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.match(fs.stat(path), { onFailure: whyNotFound, onSuccess: whyNotRead })
  )
