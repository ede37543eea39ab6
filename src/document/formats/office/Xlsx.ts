import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import type { BlockPage } from "../../layout/Blocks.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { mainPart, relationsOf } from "./Package.ts"
import { readSharedStrings, readSheet, type Workbook } from "./XlsxSheet.ts"
import { readCellFormats } from "./XlsxStyles.ts"
import { type Attributes, attribute, isOn, readXml } from "../xml/Xml.ts"
import { openArchive } from "./Zip.ts"

interface SheetName {
  readonly name: string
  readonly relation: string
}

const readWorkbook = (bytes: Uint8Array) => {
  const sheets: Array<SheetName> = []
  let from1904 = false
  const open = (name: string, attributes: Attributes) => {
    if (name === "workbookPr") from1904 = isOn({ val: attribute(attributes, "date1904") ?? "0" })
    // Content that its author has hidden is not part of the visible document.
    if (name === "sheet" && (attribute(attributes, "state") ?? "visible") === "visible") {
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1] ?? ""
      sheets.push({ name: attribute(attributes, "name") ?? "", relation })
    }
  }
  readXml(bytes, { open })
  return { sheets, from1904 }
}

const page = (name: string, bytes: Uint8Array | undefined, workbook: Workbook) => (): BlockPage => {
  if (bytes === undefined) throw new NotReadable(`The sheet ${name} is missing.`)
  return { blocks: [{ kind: "heading", level: 2, text: name }, ...readSheet(bytes, workbook)] }
}

const read = async (bytes: Uint8Array): Promise<BlockDocument> => {
  const archive = await openArchive(bytes)
  const main = await mainPart(archive, "xl/workbook.xml")
  const book = await archive.read(main)
  if (book === undefined) throw new NotReadable("The workbook has no list of sheets.")
  const relations = await relationsOf(archive, main)
  const part = async (type: string) => {
    const target = relations.find((relation) => relation.type === type)?.target
    return target === undefined ? undefined : archive.read(target)
  }
  const { sheets, from1904 } = readWorkbook(book)
  const workbook: Workbook = {
    strings: readSharedStrings(await part("sharedStrings")),
    formats: readCellFormats(await part("styles")),
    from1904
  }
  const pages: Array<() => BlockPage> = []
  for (const { name, relation } of sheets) {
    const target = relations.find(({ id, type }) => id === relation && type === "worksheet")?.target
    // Sheets that contain only a chart have no cells.
    if (target !== undefined) pages.push(page(name, await archive.read(target), workbook))
  }
  return { pages, extras: { sheets: sheets.map(({ name }) => name) } }
}

/** The reader for Excel workbooks: a page for each sheet that is shown. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
