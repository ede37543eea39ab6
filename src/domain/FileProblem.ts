import type { PlatformError } from "effect"

/** Whether a file could not be read or written because its path is that of a folder. */
const isFolder = ({ cause }: PlatformError.PlatformError): boolean => codeOf(cause) === "EISDIR"

/** Why a file could not be read or written, and what to do: a clause and an advice. */
const reasonOf = (error: PlatformError.PlatformError): readonly [reason: string, advice: string] => {
  if (isFolder(error)) return ["it is a folder", "Give the path of a file"]
  switch (error.reason._tag) {
    case "NotFound":
      return ["it does not exist", "Check the path"]
    case "PermissionDenied":
      return ["permission denied", "Check the permissions of the file and of its folder"]
    default:
      return [codeOf(error.cause) ?? error.reason.message, "Check the path"]
  }
}

/** `flow.yaml cannot be read: permission denied. …`; `advice` replaces what to do. */
export const cannotRead = (file: string, error: PlatformError.PlatformError, advice?: string): string => {
  const [reason, usual] = reasonOf(error)
  return `${file} cannot be read: ${reason}. ${advice ?? usual}`
}

const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined
