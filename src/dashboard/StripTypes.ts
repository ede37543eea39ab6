import { stripTypeScriptTypes } from "node:module"

/**
 * The JavaScript of a TypeScript file that has only erasable types. Node.js says once that the function is experimental,
 * on the error output of every start; that is nothing to tell people who start a service.
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
