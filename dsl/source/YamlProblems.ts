import type { YAMLError } from "yaml"
import type { Problems } from "./Problems.ts"
import { position } from "./Source.ts"

const wording: Partial<Record<YAMLError["code"], string>> = {
  BAD_ALIAS: "This alias is not one that can be used here.",
  BAD_DQ_ESCAPE: "This escape is not one that double quotes know.",
  BAD_INDENT: "The indentation does not fit the lines around it.",
  BLOCK_AS_IMPLICIT_KEY: "A key and its value do not fit here: there is another key on this line.",
  KEY_OVER_1024_CHARS: "A key has at most 1,024 characters.",
  MISSING_CHAR: "Something is missing here: a quote, a bracket, a comma or a colon.",
  MULTILINE_IMPLICIT_KEY: "A key stands on one line, followed by a colon.",
  MULTIPLE_DOCS: "A file holds one flow; here begins a second document.",
  RESOURCE_EXHAUSTION: "The file is nested too deeply.",
  TAB_AS_INDENT: "A tab is used for indentation; YAML wants spaces.",
  TAG_RESOLVE_FAILED: "YAML tags are not used in flows.",
  UNEXPECTED_TOKEN: "This does not belong here."
}

const mostLines = 10

/** Says what the YAML parser found, in our words; the rest of a broken file is not worth reporting. */
export const addYamlProblems = (problems: Problems, errors: ReadonlyArray<YAMLError>): void => {
  const lines = new Set<number>()
  for (const error of errors) {
    const offset = Math.max(0, error.pos[0])
    const { line } = position(problems.source, offset)
    // What follows a mistake on its line is its consequence.
    if (lines.has(line) || lines.size >= mostLines) continue
    lines.add(line)
    problems.add(offset, [], `Not valid YAML: ${detail(error)}`, advice(problems, offset))
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
