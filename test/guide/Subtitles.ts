import { blocksReader } from "../../src/document/layout/BlocksReader.ts"
import type { FormatReader } from "../../src/document/formats/FormatReader.ts"
import { textOf } from "../../src/document/formats/text/PlainText.ts"

/** The reader for SubRip subtitles: a paragraph for each subtitle, without its number and times. */
export const load = async (): Promise<FormatReader> =>
  blocksReader((bytes) => {
    const blocks = textOf(bytes)
      .split(/\n{2,}/u)
      .map((subtitle) => subtitle.split("\n").slice(2).join("\n"))
      .filter((text) => text !== "")
      .map((text) => ({ kind: "paragraph" as const, text }))
    return { pages: [() => ({ blocks })] }
  })
