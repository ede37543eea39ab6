import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import { decodeText } from "./DecodeText.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { htmlBlocks } from "./HtmlBlocks.ts"

/** The encoding that a page names at its beginning, if it exists. */
const namedEncoding = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString("latin1")
  const name = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/iu.exec(head)?.[1]
  if (name === undefined || /^utf-?16/iu.test(name)) return undefined
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

const read = (bytes: Uint8Array): BlockDocument => {
  const html = decodeText(bytes, namedEncoding(bytes))
  if (html === undefined) throw new NotReadable("The bytes are not text.")
  const blocks = htmlBlocks(html)
  return { pages: [() => ({ blocks })] }
}

/** The reader for HTML: the content of a page without running or fetching anything, on one page. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
