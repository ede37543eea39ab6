import type { YAMLError } from "yaml"
import { indentAdvice } from "./IndentAdvice.ts"
import type { Problems } from "./Problems.ts"
import { position } from "./Source.ts"

const wording: Partial<Record<YAMLError["code"], string>> = {
  BAD_ALIAS: "An alias cannot be used here.",
  BAD_DQ_ESCAPE: "Unknown escape sequence in a double-quoted string.",
  BAD_INDENT: "The indentation does not match the lines around it.",
  BLOCK_AS_IMPLICIT_KEY: "A second key on the same line. Put it on a line of its own.",
  KEY_OVER_1024_CHARS: "A key has at most 1,024 characters.",
  MISSING_CHAR: "Missing quote, bracket, comma or colon.",
  MULTILINE_IMPLICIT_KEY: "A key must be on one line, followed by a colon.",
  MULTIPLE_DOCS: "A file holds one flow, and a second document begins here.",
  RESOURCE_EXHAUSTION: "The file is nested too deeply.",
  TAB_AS_INDENT: "Tab used for indentation. Use spaces.",
  TAG_RESOLVE_FAILED: "YAML tags are not allowed in flows.",
  UNEXPECTED_TOKEN: "Unexpected text."
}

const mostLines = 10

/** Reports what the YAML parser found, in our words, without the consequences of a first error. */
export const addYamlProblems = (problems: Problems, errors: ReadonlyArray<YAMLError>): void => {
  const lines = new Set<number>()
  const { text } = problems.source
  const all = text.split("\n")
  for (const error of errors) {
    const offset = Math.max(0, error.pos[0])
    const { line } = position(problems.source, offset)
    // Later errors on the same line are consequences.
    if (lines.has(line) || lines.size >= mostLines) continue
    lines.add(line)
    // An error further right is one of the line itself.
    const begins = /^ *\S?$/u.test(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset + 1))
    const indentation = begins ? indentAdvice(all, line - 1) : undefined
    const message = indentation === undefined ? detail(error) : (wording.BAD_INDENT ?? detail(error))
    problems.add(offset, [], `Not valid YAML: ${message}`, indentation ?? advice(problems, offset))
    // After wrong indentation, all further errors are consequences.
    if (indentation !== undefined) return
  }
}

const detail = (error: YAMLError): string =>
  error.message.startsWith("Maximum call stack")
    ? "The file is nested too deeply."
    : (wording[error.code] ?? `${error.message.replace(/\.?$/u, "")}.`)

const advice = (problems: Problems, offset: number): string | undefined => {
  const { text } = problems.source
  const line = text.slice(
    text.lastIndexOf("\n", offset - 1) + 1,
    (text.indexOf("\n", offset) + 1 || text.length + 1) - 1
  )
  return line.includes("${{") ? "Put the whole value, with its ${{ … }}, in double quotes." : undefined
}
