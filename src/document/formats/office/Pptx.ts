import { type Block, type BlockPage, trimmedRows } from "../../layout/Blocks.ts"
import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { mainPart, relationsOf } from "./Package.ts"
import { attribute, type Attributes, readXml } from "../xml/Xml.ts"
import { openArchive } from "./Zip.ts"

interface OpenTable {
  readonly rows: Array<Array<string>>
  cell: Array<string>
}

/** The text and tables of a slide in the order of its shapes; its title is a heading. */
const readSlide = (bytes: Uint8Array): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let table: OpenTable | undefined
  let [inText, inTitle, text, unseen, depth, bullet] = [false, false, "", 0, 0, false]
  const endParagraph = () => {
    const line = text.replace(/[ \t]+/gu, " ").trim()
    text = ""
    if (line === "") return
    if (table !== undefined) table.cell.push(line)
    else if (inTitle) blocks.push({ kind: "heading", level: 1, text: line })
    else if (bullet || depth > 0) blocks.push({ kind: "item", depth, marker: "-", text: line })
    else blocks.push({ kind: "paragraph", text: line })
  }
  const open = (name: string, attributes: Attributes) => {
    if (unseen > 0 || name === "Fallback") unseen++
    else if (name === "sp") inTitle = false
    else if (name === "ph") inTitle = /^(?:ctrT|t)itle$/u.test(attribute(attributes, "type") ?? "")
    else if (name === "p") [text, depth, bullet] = ["", 0, false]
    else if (name === "pPr") depth = Math.min(8, Number(attribute(attributes, "lvl") ?? 0) || 0)
    else if (name === "buChar" || name === "buAutoNum") bullet = true
    else if (name === "t") inText = true
    else if (name === "br") text += "\n"
    else if (name === "tab") text += " "
    else if (name === "tbl") table = { rows: [], cell: [] }
    else if (name === "tr") table?.rows.push([])
  }
  const close = (name: string) => {
    if (unseen > 0) unseen--
    else if (name === "t") inText = false
    else if (name === "p") endParagraph()
    else if (name === "tc" && table !== undefined) {
      table.rows.at(-1)?.push(table.cell.join("\n"))
      table.cell = []
    } else if (name === "tbl" && table !== undefined) {
      const rows = trimmedRows(table.rows)
      if (rows.length > 0) blocks.push({ kind: "table", rows })
      table = undefined
    }
  }
  readXml(bytes, {
    open,
    text: (part) => {
      if (inText && unseen === 0) text += part
    },
    close
  })
  return blocks
}

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
export const load = async (): Promise<FormatReader> => blocksReader(read, true)
