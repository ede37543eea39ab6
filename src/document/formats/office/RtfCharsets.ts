/** Encodings of code pages that `TextDecoder` does not call `windows-…`. */
const named: ReadonlyMap<number, string> = new Map([
  [866, "ibm866"],
  [932, "shift_jis"],
  [936, "gbk"],
  [949, "euc-kr"],
  [950, "big5"],
  [1361, "euc-kr"],
  [10_000, "macintosh"],
  [10_007, "x-mac-cyrillic"],
  [65_001, "utf-8"]
])

/** The code pages of the character sets that fonts name with `\fcharset`; all others use that of the document. */
const ofCharset: ReadonlyMap<number, number> = new Map([
  [77, 10_000],
  [128, 932],
  [129, 949],
  [130, 1361],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250]
])

const windows = new Set([874, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258])

/** The name of a code page's encoding; that of Western Europe where it is unknown. */
const encodingOf = (codePage: number): string =>
  named.get(codePage) ?? `windows-${windows.has(codePage) ? codePage : 1252}`

/** Decodes bytes by the character set of their font, or by the code page of the document. */
export class RtfCharsets {
  /** The code page of the document. */
  codePage = 1252
  readonly #charsets = new Map<number, number>()
  readonly #decoders = new Map<string, (bytes: Uint8Array) => string>()

  /** Sets the character set of a font. */
  define(font: number, charset: number): void {
    this.#charsets.set(font, charset)
  }

  /** The text of bytes in a font. */
  decode(bytes: Uint8Array, font: number): string {
    const encoding = encodingOf(ofCharset.get(this.#charsets.get(font) ?? 0) ?? this.codePage)
    const decode = this.#decoders.get(encoding) ?? decoderOf(encoding)
    this.#decoders.set(encoding, decode)
    return decode(bytes)
  }
}

const decoderOf = (encoding: string) => {
  const decoder = new TextDecoder(encoding)
  return (bytes: Uint8Array): string => decoder.decode(bytes)
}
