/** A token of RTF: the start or end of a group, a control word or symbol with its number, or bytes of text. */
export type RtfToken =
  | { readonly kind: "open" }
  | { readonly kind: "close" }
  | { readonly kind: "control"; readonly name: string; readonly value: number | undefined }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }

const brace = { open: 0x7b, close: 0x7d }
const backslash = 0x5c
const lineFeed = 0x0a
const carriageReturn = 0x0d

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a))
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39
const isText = (byte: number | undefined): boolean =>
  byte !== undefined &&
  byte !== brace.open &&
  byte !== brace.close &&
  byte !== backslash &&
  byte !== lineFeed &&
  byte !== carriageReturn

/**
 * Tokenizes RTF (Rich Text Format Specification 1.9.1). Line breaks between tokens and the data after `\bin` are
 * skipped.
 */
export class RtfTokens implements Iterable<RtfToken> {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  *[Symbol.iterator](): Iterator<RtfToken> {
    const bytes = this.#bytes
    for (let at = 0; at < bytes.length;) {
      const byte = bytes[at]
      if (byte === brace.open || byte === brace.close) {
        yield byte === brace.open ? { kind: "open" } : { kind: "close" }
        at += 1
      } else if (byte === backslash) {
        const [token, end] = this.#control(at + 1)
        yield token
        at = end
      } else if (byte === lineFeed || byte === carriageReturn) at += 1
      else {
        const start = at
        while (isText(bytes[at])) at += 1
        yield { kind: "bytes", bytes: bytes.subarray(start, at) }
      }
    }
  }

  /** The control word or symbol after a backslash, and where the next token begins. */
  #control(start: number): readonly [RtfToken, number] {
    const bytes = this.#bytes
    if (!isLetter(bytes[start])) return this.#symbol(start)
    let at = start
    while (isLetter(bytes[at])) at += 1
    const name = this.#ascii(start, at)
    const digits = at
    if (bytes[at] === 0x2d) at += 1
    while (isDigit(bytes[at])) at += 1
    const value = at === digits ? undefined : Number(this.#ascii(digits, at))
    if (bytes[at] === 0x20) at += 1
    const skipped = name === "bin" && value !== undefined && value > 0 ? value : 0
    return [{ kind: "control", name, value }, at + skipped]
  }

  #symbol(at: number): readonly [RtfToken, number] {
    const name = this.#ascii(at, at + 1)
    if (name === "'") {
      const byte = Number.parseInt(this.#ascii(at + 1, at + 3), 16)
      return [{ kind: "bytes", bytes: Uint8Array.of(Number.isNaN(byte) ? 0x3f : byte) }, at + 3]
    }
    if (name === "\\" || name === "{" || name === "}") {
      return [{ kind: "bytes", bytes: this.#bytes.subarray(at, at + 1) }, at + 1]
    }
    return [{ kind: "control", name, value: undefined }, at + 1]
  }

  #ascii(from: number, to: number): string {
    return String.fromCharCode(...this.#bytes.subarray(from, Math.min(to, from + 64)))
  }
}
