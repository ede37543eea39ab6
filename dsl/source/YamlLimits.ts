import { Lexer } from "yaml"

/** Limits of a flow file. Flows that people write stay far below them. */
export const yamlLimits = { bytes: 1_000_000, tokens: 100_000, depth: 64, nodes: 50_000 } as const

/** Where and how a file exceeds a limit. */
export interface BrokenLimit {
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
