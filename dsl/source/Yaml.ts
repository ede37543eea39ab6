import { Result } from "effect"
import { type Document, isAlias, isMap, isScalar, isSeq, Lexer, parseDocument } from "yaml"
import type { Path } from "./Problem.ts"
import { makeProblems, type Problems } from "./Problems.ts"
import { makeSource, type MapEntry, type SourceNode, type Span } from "./Source.ts"
import { addYamlProblems } from "./YamlProblems.ts"

/** Limits of a flow file. Flows that people write stay far below them. */
const yamlLimits = { bytes: 1_000_000, tokens: 100_000, depth: 64, nodes: 50_000 } as const

/** Where and how a file exceeds a limit. */
interface BrokenLimit {
  readonly offset: number
  readonly message: string
}

/**
 * Scans the tokens of a YAML file before it is parsed, up to the first exceeded limit: the parser takes seconds for a
 * megabyte of commas, and recurses as deeply as the file is nested.
 */
export const brokenLimit = (text: string): BrokenLimit | undefined => {
  if (text.length > yamlLimits.bytes) {
    return { offset: 0, message: "The file is larger than 1 MB." }
  }
  const nul = text.indexOf("\u0000")
  if (nul >= 0) return { offset: nul, message: "The file contains a NUL character. Remove it." }
  const depth = new Depth()
  let offset = 0
  let tokens = 0
  for (const token of new Lexer().lex(text)) {
    if (++tokens > yamlLimits.tokens) {
      return { offset, message: "The file has more than 100,000 tokens, the limit for a flow." }
    }
    if (depth.after(token) > yamlLimits.depth) {
      return { offset, message: `The file is nested more than ${yamlLimits.depth} levels deep.` }
    }
    if (!isMark(token)) offset += token.length
  }
  return undefined
}

/** The lexer's own marks (start of document, scalar, broken flow) represent no text. */
const isMark = (token: string): boolean =>
  token === "\u0002" || token === "\u0018" || token === "\u001F" || token === ""

/** Tracks the nesting depth: brackets, indentation, and indicators on one line. */
class Depth {
  readonly #indents: Array<number> = []
  #brackets = 0
  #indicators = 0
  #atLineStart = true

  after(token: string): number {
    if (token === "\n" || token === "\r\n") {
      this.#indicators = 0
      this.#atLineStart = true
    } else if (!isMark(token)) {
      this.#lineStart(token)
      this.#count(token)
    }
    return this.#indents.length + this.#brackets + this.#indicators
  }

  #lineStart(token: string): void {
    if (!this.#atLineStart) return
    this.#atLineStart = false
    if (this.#brackets > 0) return
    const indent = token.startsWith(" ") ? token.length : 0
    while ((this.#indents.at(-1) ?? -1) >= indent) this.#indents.pop()
    this.#indents.push(indent)
  }

  #count(token: string): void {
    if (token === "[" || token === "{") this.#brackets++
    else if ((token === "]" || token === "}") && this.#brackets > 0) this.#brackets--
    else if (token === "-" || token === "?") this.#indicators++
  }
}

/** An expression without its `$`, as in other template languages; YAML parses it as a map or a plain string. */
const bare = /(?<![$\\{])\{\{\s*((?:steps|input|variables)\b[^{}\n]*?)\s*\}\}/gu

const mostReported = 10

/** Whether an offset is in a comment: after `#` at the start of a line or after white space. */
const isComment = (text: string, offset: number): boolean =>
  /(?:^|\s)#/u.test(text.slice(text.lastIndexOf("\n", offset) + 1, offset))

/** Reports `{{ steps.a }}` where `${{ steps.a }}` is meant; returns whether there is any. */
const addBraceProblems = (problems: Problems): boolean => {
  const { text } = problems.source
  const found = [...text.matchAll(bare)].filter(({ index }) => !isComment(text, index)).slice(0, mostReported)
  for (const { 0: written, 1: expression = "", index } of found)
    problems.add(index, [], `${written} is not an expression.`, `Write \${{ ${expression} }}.`)
  return found.length > 0
}

/** A YAML file as values with positions. `root` is undefined if the file cannot be parsed. */
export interface YamlFile {
  readonly root: SourceNode | undefined
  readonly problems: Problems
}

const parseOptions = {
  // Our own check of keys knows their positions and is not quadratic.
  uniqueKeys: false,
  prettyErrors: false,
  stringKeys: false,
  version: "1.2",
  schema: "core",
  logLevel: "error"
} as const

/** Parses YAML. Size, tokens, depth and aliases are limited, so it takes little time whatever the input. */
export const parseYaml = (text: string, file: string): YamlFile => {
  const problems = makeProblems(makeSource(file, text))
  const limit = brokenLimit(text)
  if (limit !== undefined) {
    problems.add(limit.offset, [], limit.message)
    return { root: undefined, problems }
  }
  if (addBraceProblems(problems)) return { root: undefined, problems }
  const parsed = Result.try({
    try: () => parseDocument(text, parseOptions),
    catch: (cause) => (cause instanceof Error ? cause.message : String(cause))
  })
  if (Result.isFailure(parsed)) {
    problems.add(0, [], `Not valid YAML: ${parsed.failure}`)
    return { root: undefined, problems }
  }
  addYamlProblems(problems, parsed.success.errors)
  if (parsed.success.errors.length > 0) return { root: undefined, problems }
  return { root: new Reader(problems).read(parsed.success), problems }
}

/** A node, with its number of nodes after aliases are expanded. */
interface Counted {
  readonly node: SourceNode
  readonly count: number
}

/** Converts the parser's nodes into ours, refusing what JSON cannot represent. */
class Reader {
  readonly #problems: Problems
  readonly #anchors = new Map<string, Counted>()
  #count = 0

  constructor(problems: Problems) {
    this.#problems = problems
  }

  read(document: Document.Parsed): SourceNode | undefined {
    if (document.contents === null) {
      this.#problems.add(0, [], "The file is empty. A flow begins with `docflow: 1`.")
      return undefined
    }
    const { node } = this.#node(document.contents, [], { start: 0, end: 0 })
    if (this.#count <= yamlLimits.nodes) return node
    this.#problems.add(0, [], "The aliases of this file expand to more than 50,000 values.")
    return undefined
  }

  #node(node: unknown, path: Path, around: Span): Counted {
    if (isAlias(node)) return this.#alias(node.source, path, spanOf(node, around))
    const read = this.#plainNode(node, path, around)
    this.#count += 1
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined
    if (anchor !== undefined) this.#anchors.set(anchor, read)
    return read
  }

  #plainNode(node: unknown, path: Path, around: Span): Counted {
    const span = spanOf(node, around)
    if ((isMap(node) || isSeq(node) || isScalar(node)) && node.tag !== undefined && !isCoreTag(node.tag)) {
      this.#problems.add(
        span,
        path,
        `The tag ${node.tag.replace("tag:yaml.org,2002:", "!!")} is not allowed in flows.`
      )
      return { node: { kind: "scalar", value: null, ...span }, count: 1 }
    }
    if (isMap(node)) return this.#map(node.items, path, span)
    if (isSeq(node)) return this.#list(node.items, path, span)
    return { node: { kind: "scalar", value: this.#scalar(node, path, span), ...span }, count: 1 }
  }

  #alias(name: string, path: Path, span: Span): Counted {
    const target = this.#anchors.get(name)
    if (target !== undefined) {
      this.#count += target.count
      return target
    }
    this.#problems.add(span, path, `Unknown alias *${name}: no anchor &${name} comes before it.`)
    return { node: { kind: "scalar", value: null, ...span }, count: 1 }
  }

  #scalar(node: unknown, path: Path, span: Span): string | number | boolean | null {
    const value: unknown = isScalar(node) ? node.value : null
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value
    if (typeof value === "number" && Number.isFinite(value)) return value
    this.#problems.add(span, path, "JSON cannot represent this number.")
    return null
  }

  #list(items: ReadonlyArray<unknown>, path: Path, span: Span): Counted {
    const read = items.map((item, index) => this.#node(item, [...path, index], span))
    return { node: { kind: "list", items: read.map((item) => item.node), ...span }, count: total(read) }
  }

  #map(
    pairs: ReadonlyArray<{ readonly key: unknown; readonly value: unknown }>,
    path: Path,
    span: Span
  ): Counted {
    const entries = new Map<string, MapEntry>()
    const read = pairs.map((pair) => {
      const keySpan = spanOf(pair.key, span)
      const name = this.#key(pair.key, path, keySpan)
      const value = this.#node(pair.value, name === undefined ? path : [...path, name], keySpan)
      if (name === undefined) return value
      if (entries.has(name)) this.#problems.add(keySpan, [...path, name], `Duplicate key "${name}".`)
      else entries.set(name, { key: keySpan, value: value.node })
      return value
    })
    return { node: { kind: "map", entries, ...span }, count: total(read) }
  }

  #key(key: unknown, path: Path, span: Span): string | undefined {
    const value: unknown = isScalar(key) ? key.value : undefined
    if (typeof value !== "string") {
      const text = isScalar(key) ? String(value) : undefined
      this.#problems.add(
        span,
        path,
        "A key must be a string.",
        text === undefined ? undefined : `Put it in quotes: "${text}".`
      )
      return undefined
    }
    if (value === "__proto__") {
      this.#problems.add(span, path, 'The key "__proto__" is not allowed.')
      return undefined
    }
    if (value === "<<") {
      this.#problems.add(span, path, "Merge keys (<<) are not part of YAML 1.2. Write the keys out.")
      return undefined
    }
    return value
  }
}

const total = (parts: ReadonlyArray<Counted>): number => parts.reduce((sum, part) => sum + part.count, 1)

const isCoreTag = (tag: string): boolean =>
  /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/u.test(tag)

const spanOf = (node: unknown, around: Span): Span => {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined
  return range ? { start: range[0], end: range[1] } : around
}
