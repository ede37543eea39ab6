import { Schema } from "effect"

/** A problem in a flow file, at the position where it must be fixed. */
export const Problem = Schema.Struct({
  file: Schema.String,
  /** Counted from 1. */
  line: Schema.Int,
  /** Counted from 1, in characters. */
  column: Schema.Int,
  /** Its path in the flow, such as `steps[1].with.fields`; empty for the whole file. */
  path: Schema.String,
  /** What is wrong and what was expected. */
  message: Schema.String,
  /** What to write instead, if that can be guessed. */
  suggestion: Schema.optionalKey(Schema.String)
})
export type Problem = typeof Problem.Type

/** The keys and indices that lead from the top of a flow to a position in it. */
export type Path = ReadonlyArray<string | number>

const plainKey = /^[A-Za-z_$][\w$-]*$/u

/** Formats a path for messages: `steps[1].with.fields`. */
export const formatPath = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`
    if (!plainKey.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === "" ? part : `${text}.${part}`
  }, "")
