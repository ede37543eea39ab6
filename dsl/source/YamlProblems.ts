import type { YAMLError } from "yaml"
import type { Problems } from "./Problems.ts"
import { position } from "./Source.ts"

/** The columns at which a line may begin: its indentation, and that of a key after `- `. */
const columnsOf = (line: string): ReadonlyArray<number> => {
  const [, spaces = "", dashes = ""] = /^( *)((?:- +)*)/u.exec(line) ?? []
  return dashes === "" ? [spaces.length] : [spaces.length, spaces.length + dashes.length]
}

const counted = (columns: number): string => `${columns} ${columns === 1 ? "space" : "spaces"}`

/**
 * Compares the indentation of a line with the lines above: says how far it is indented and how far it could be.
 * Undefined if it fits.
 *
 * @param lines the lines of the file
 * @param index the line, counted from 0
 */
const indentAdvice = (lines: ReadonlyArray<string>, index: number): string | undefined => {
  const line = lines[index] ?? ""
  const own = line.search(/\S/u)
  if (own < 0) return undefined
  const levels = new Map<number, number>()
  let lowest = Infinity
  for (let above = index - 1; above >= 0 && lowest > 0; above--) {
    const text = lines[above] ?? ""
    if (text.trim() === "" || text.trimStart().startsWith("#")) continue
    const columns = columnsOf(text)
    for (const column of columns) if (column < lowest && !levels.has(column)) levels.set(column, above + 1)
    lowest = Math.min(lowest, ...columns)
  }
  if (levels.has(own) || levels.size === 0) return undefined
  const [nearest, ...others] = [...levels].sort(
    ([left], [right]) => Math.abs(left - own) - Math.abs(right - own) || right - left
  )
  if (nearest === undefined) return undefined
  const [second] = others
  const or = second === undefined ? "" : `, or by ${second[0]} as line ${second[1]}`
  return `The line is indented by ${counted(own)}. Indent it by ${nearest[0]} as line ${nearest[1]}${or}.`
}

/** The value on a line: what follows its dashes and its key. */
const valueOfLine = (line: string): string =>
  /^\s*(?:- +)*(?:[^\s"'#{[:][^:"']*:\s+)?(.*?)\s*$/u.exec(line)?.[1] ?? ""

/** A value as it would be within quotes: without those that it has, and of an object or array the first expression. */
const contentOf = (value: string): string => {
  const quote = /^["']/u.exec(value)?.[0]
  if (quote !== undefined) return value.slice(1, value.endsWith(quote) ? -1 : undefined)
  return /^[[{]/u.test(value) ? (/\$\{\{.*?\}\}/u.exec(value)?.[0] ?? value) : value
}

/** How to quote a value that YAML cannot read as it is: in quotes of the kind that is not inside it. */
const quoteAdvice = (value: string): string => {
  const content = contentOf(value)
  const hasExpression = content.includes("${{")
  const whole = hasExpression ? "the whole value, with its ${{ … }}," : "the whole value"
  if (!content.includes('"')) return `Put ${whole} in double quotes.`
  if (!content.includes("'")) return `Put ${whole} in single quotes.`
  return hasExpression
    ? "Use only single quotes inside ${{ … }}, and put the whole value in double quotes."
    : String.raw`Put the whole value in double quotes, and write \" for those inside.`
}

const wrongIndentation = "The indentation does not match the lines around it."

const wording: Partial<Record<YAMLError["code"], string>> = {
  BAD_ALIAS: "An alias cannot be used here.",
  BAD_DQ_ESCAPE: "Unknown escape sequence in a double-quoted string.",
  BAD_INDENT: wrongIndentation,
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

/** Errors after which the parser goes on as if the value were right; after others, what follows is misread. */
const local: ReadonlySet<YAMLError["code"]> = new Set([
  "BAD_ALIAS",
  "BAD_DQ_ESCAPE",
  "BAD_SCALAR_START",
  "TAG_RESOLVE_FAILED"
])

const mostLines = 10

/** Reports what the YAML parser found, in our words, without the consequences of a first error. */
export const addYamlProblems = (problems: Problems, errors: ReadonlyArray<YAMLError>): void => {
  const lines = new Set<number>()
  const { text } = problems.source
  const all = text.split("\n")
  const keys = new Map(
    errors.filter(({ code }) => code === "MULTILINE_IMPLICIT_KEY").map(({ pos: [from, end] }) => [from, end])
  )
  for (const error of errors) {
    const [from] = error.pos
    const offset = overIndentedKey(text, from, keys.get(from) ?? from) ?? Math.max(0, from)
    const { line } = position(problems.source, offset)
    // Later errors on the same line are consequences.
    if (lines.has(line) || lines.size >= mostLines) continue
    lines.add(line)
    // An error further right is one of the line itself.
    const begins = /^ *\S?$/u.test(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset + 1))
    const indentation = begins && !isUnclosed(error) ? indentAdvice(all, line - 1) : undefined
    const value = valueOfLine(all[line - 1] ?? "")
    const message = indentation === undefined ? detail(error, value) : wrongIndentation
    problems.add(offset, [], `Not valid YAML: ${message}`, indentation ?? advice(error, value))
    if (indentation !== undefined || !isLocal(error, value)) return
  }
}

/** The parser blames the value above a key that is indented too far, which it reads as the first line of a longer key. */
const overIndentedKey = (text: string, from: number, end: number): number | undefined => {
  const begin = lineStart(text, end)
  const isFurther = begin > from && indentAt(text, begin) > indentAt(text, lineStart(text, from))
  return isFurther ? begin + indentAt(text, begin) : undefined
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1

const indentAt = (text: string, begin: number): number => /^ */u.exec(text.slice(begin))?.[0].length ?? 0

/** An object or array in brackets that lacks its last one; the parser blames the indentation of what follows. */
const isUnclosed = ({ message }: YAMLError): boolean => message.startsWith("Flow ")

const isLocal = ({ code }: YAMLError, value: string): boolean =>
  local.has(code) || (code === "BLOCK_AS_IMPLICIT_KEY" && !/["'[{]/u.test(value.replaceAll("${{", "")))

/** Whether a colon or a quotation mark inside a value was taken for YAML. */
const isCutShort = ({ code }: YAMLError, value: string): boolean =>
  code === "BLOCK_AS_IMPLICIT_KEY" && /^["']|\$\{\{/u.test(value)

const detail = (error: YAMLError, value: string): string => {
  if (error.message.startsWith("Maximum call stack")) return "The file is nested too deeply."
  if (isUnclosed(error)) return `Missing ${error.message.slice(-1)} before this point.`
  if (isCutShort(error, value)) return "A colon or a quotation mark inside the value ends it."
  return wording[error.code] ?? `${error.message.replace(/\.?$/u, "")}.`
}

const advice = (error: YAMLError, value: string): string | undefined => {
  const isQuoted = /^["']/u.test(value)
  switch (error.code) {
    case "BAD_DQ_ESCAPE":
      return String.raw`Write \\ for a backslash.`
    case "BLOCK_AS_IMPLICIT_KEY":
      return isCutShort(error, value)
        ? quoteAdvice(value)
        : `If it is text, ${lowerFirst(quoteAdvice(value))}`
    case "BAD_SCALAR_START":
      return quoteAdvice(value)
    case "UNEXPECTED_TOKEN":
      return isQuoted || value.includes("${{") ? quoteAdvice(value) : undefined
    default:
      return !isQuoted && value.includes("${{") ? quoteAdvice(value) : undefined
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
