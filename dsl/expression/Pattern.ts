import { Result } from "effect"
import { RE2JS } from "re2js"

/**
 * Compiles a regular expression of a flow, in RE2's syntax: it is found anywhere in the text, in time linear in the text's
 * length whatever the pattern is.
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
