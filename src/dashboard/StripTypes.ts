import { stripTypeScriptTypes } from "node:module"

/**
 * The JavaScript of a TypeScript file that has only erasable types. Node.js prints on standard error that the function
 * is experimental; that warning is suppressed, because it does not concern users of the service.
 */
export const stripTypes = (source: string): string => {
  const emitWarning = process.emitWarning
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
