import { Result } from "effect"
import { RE2JS } from "re2js"

/**
 * Compiles a regular expression of a flow, in RE2 syntax. It matches anywhere in the text, in time linear in the length
 * of the text.
 */
export const compilePattern = (pattern: string): Result.Result<(text: string) => boolean, string> =>
  Result.try({
    try: () => {
      const compiled = RE2JS.compile(pattern)
      return (text: string) => compiled.matcher(text).find()
    },
    catch: (cause) =>
      `Unsupported regular expression: ${cause instanceof Error ? cause.message : String(cause)}.`
  })
