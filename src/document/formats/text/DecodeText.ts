/** Encodings by byte order mark; longer marks first, because one begins like another. */
const marks: ReadonlyArray<readonly [ReadonlyArray<number>, string]> = [
  [[0xff, 0xfe, 0x00, 0x00], "utf-32le"],
  [[0x00, 0x00, 0xfe, 0xff], "utf-32be"],
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"]
]

const utf32 = (bytes: Uint8Array, littleEndian: boolean): string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Array<string> = []
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, littleEndian)
    parts.push(code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code))
  }
  return parts.join("")
}

/** UTF-16 without a mark: in most scripts every other byte of its first kilobyte is zero. */
const unmarkedUtf16 = (bytes: Uint8Array): string | undefined => {
  const end = Math.min(1024, bytes.length & ~1)
  if (end < 8) return undefined
  let [even, odd] = [0, 0]
  for (let i = 0; i < end; i += 2) {
    if (bytes[i] === 0) even++
    if (bytes[i + 1] === 0) odd++
  }
  if (odd > 0.35 * end && even < 0.02 * end) return "utf-16le"
  return even > 0.35 * end && odd < 0.02 * end ? "utf-16be" : undefined
}

/** The control characters that text may contain besides white space: the end mark of DOS, escape, a line end. */
const harmless = "\u001a\u001b\u0085"

/** Characters that text never has: other control characters, and what is no character. */
const notText = new RegExp(`[[\\p{Cc}\\ufffe\\uffff]--[\\s${harmless}]]`, "v")

const strict = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const encodingOf = (bytes: Uint8Array): string | undefined =>
  marks.find(([mark]) => mark.every((byte, i) => bytes[i] === byte))?.[1] ?? unmarkedUtf16(bytes)

/** Old 8-bit text is mostly ASCII, line by line; compressed data is not. */
const western = (bytes: Uint8Array): string | undefined => {
  let high = 0
  for (const byte of bytes) if (byte >= 0x80) high++
  return high <= 0.3 * bytes.length ? new TextDecoder("windows-1252").decode(bytes) : undefined
}

/** Decoded texts, kept while their bytes exist: detecting the type of a document takes its text, and so does reading it. */
const known = new WeakMap<Uint8Array, string>()

/**
 * Decodes text: by its byte order mark, as valid UTF-8, as UTF-16, and finally as Windows-1252. Undefined if the bytes
 * are not text. `encoding` is one that the document itself names.
 */
export const decodeText = (bytes: Uint8Array, encoding?: string): string | undefined => {
  if (encoding !== undefined) return decodeAs(bytes, encoding)
  const text = known.get(bytes) ?? decodeAs(bytes)
  if (text !== undefined) known.set(bytes, text)
  return text
}

const decodeAs = (bytes: Uint8Array, encoding?: string): string | undefined => {
  const marked = encodingOf(bytes)
  const text =
    marked === "utf-32le" || marked === "utf-32be"
      ? utf32(bytes, marked === "utf-32le")
      : marked !== undefined
        ? (strict(
            bytes.subarray(0, marked.startsWith("utf-16") ? bytes.length & ~1 : bytes.length),
            marked
          ) ?? new TextDecoder(marked).decode(bytes))
        : ((encoding === undefined ? undefined : strict(bytes, encoding)) ??
          strict(bytes, "utf-8") ??
          western(bytes))
  return text === undefined || notText.test(text) ? undefined : text
}
