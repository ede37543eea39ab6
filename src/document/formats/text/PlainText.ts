import type { Block } from "../../layout/Blocks.ts"
import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import { decodeText } from "./DecodeText.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"

/** The text of a document, with line feeds only. */
export const textOf = (bytes: Uint8Array): string => {
  const text = decodeText(bytes)
  if (text === undefined) throw new NotReadable("The bytes are not text.")
  return text.includes("\r") ? text.replace(/\r\n?/gu, "\n") : text
}

const read = (bytes: Uint8Array): BlockDocument => {
  const blocks: ReadonlyArray<Block> = textOf(bytes)
    .split(/\f|\n[ \t]*\n/u)
    .map((text) => ({ kind: "paragraph", text: text.replace(/^\n+/u, "").trimEnd() }))
  return {
    pages: [() => ({ blocks: blocks.filter((block) => block.kind !== "table" && block.text !== "") })]
  }
}

/** The reader for plain text: its lines as they are, all on one page. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
