import type { Block } from "../../layout/Blocks.ts"
import { blocksReader, type BlockDocument } from "../../layout/BlocksReader.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { readDocxPart } from "./DocxBody.ts"
import { DocxNumbering } from "./DocxNumbering.ts"
import { readStyles } from "./DocxStyles.ts"
import { mainPart, relationsOf } from "./Package.ts"
import { openArchive } from "./Zip.ts"

/** The same header usually is on the first, the odd and the even pages. */
const withoutRepeats = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const seen = new Set<string>()
  return blocks.filter((block) => {
    const key = JSON.stringify(block)
    return !seen.has(key) && seen.add(key)
  })
}

const read = async (bytes: Uint8Array): Promise<BlockDocument> => {
  const archive = await openArchive(bytes)
  const main = await mainPart(archive, "word/document.xml")
  const body = await archive.read(main)
  if (body === undefined) throw new NotReadable("The Word document has no text part.")
  const relations = await relationsOf(archive, main)
  const part = async (type: string) => {
    const target = relations.find((relation) => relation.type === type)?.target
    return target === undefined ? undefined : archive.read(target)
  }
  const styles = readStyles(await part("styles"))
  const numbering = new DocxNumbering(await part("numbering"))
  const all = async (...types: ReadonlyArray<string>): Promise<ReadonlyArray<Block>> => {
    const blocks: Array<Block> = []
    for (const { target, type } of relations) {
      const found = types.includes(type) ? await archive.read(target) : undefined
      if (found !== undefined) blocks.push(...readDocxPart(found, { styles, numbering }))
    }
    return withoutRepeats(blocks)
  }
  const blocks = [
    ...(await all("header")),
    ...readDocxPart(body, { styles, numbering }),
    ...(await all("footnotes", "endnotes")),
    ...(await all("footer"))
  ]
  return { pages: [() => ({ blocks })] }
}

/** The reader for Word documents: their text, headings, lists, tables, headers, footers and notes, on one page. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
