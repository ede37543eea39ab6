import type { BlockPage } from "../../layout/Blocks.ts"
import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { mainPart, relationsOf } from "./Package.ts"
import { readSlide } from "./PptxSlide.ts"
import { type Attributes, readXml } from "../xml/Xml.ts"
import { openArchive } from "./Zip.ts"

/** The relations of the slides, in the order in which they are shown. */
const slideRelations = (bytes: Uint8Array): ReadonlyArray<string> => {
  const relations: Array<string> = []
  const open = (name: string, attributes: Attributes) => {
    if (name !== "sldId") return
    const relation = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1]
    if (relation !== undefined) relations.push(relation)
  }
  readXml(bytes, { open })
  return relations
}

const page = (bytes: Uint8Array | undefined) => (): BlockPage => {
  if (bytes === undefined) throw new NotReadable("The slide is missing.")
  return { blocks: readSlide(bytes) }
}

const read = async (bytes: Uint8Array): Promise<BlockDocument> => {
  const archive = await openArchive(bytes)
  const main = await mainPart(archive, "ppt/presentation.xml")
  const show = await archive.read(main)
  if (show === undefined) throw new NotReadable("The presentation has no list of slides.")
  const relations = new Map((await relationsOf(archive, main)).map(({ id, target }) => [id, target]))
  const pages: Array<() => BlockPage> = []
  for (const relation of slideRelations(show)) {
    pages.push(page(await archive.read(relations.get(relation) ?? "")))
  }
  return { pages }
}

/** The reader for PowerPoint presentations: a page for each slide. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
