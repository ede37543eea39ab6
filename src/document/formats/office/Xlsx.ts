import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import { type Block, type BlockPage, trimmedRows } from "../../layout/Blocks.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { mainPart, relationsOf } from "./Package.ts"
import { type CellFormat, dateText, numberText, readCellFormats } from "./XlsxStyles.ts"
import { attribute, type Attributes, isOn, readXml } from "../xml/Xml.ts"
import { openArchive } from "./Zip.ts"

/** The shared parts of a workbook that cells refer to. */
interface Workbook {
  readonly strings: ReadonlyArray<string>
  readonly formats: ReadonlyArray<CellFormat>
  readonly from1904: boolean
}

/** The strings that cells share, in order. Phonetic hints for East Asian text are left out. */
const readSharedStrings = (bytes: Uint8Array | undefined): ReadonlyArray<string> => {
  const strings: Array<string> = []
  let [inText, hint, current] = [false, 0, ""]
  if (bytes === undefined) return strings
  readXml(bytes, {
    open: (name) => {
      if (name === "si") current = ""
      else if (name === "rPh") hint++
      else if (name === "t") inText = hint === 0
    },
    text: (text) => {
      if (inText) current += text
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "rPh") hint--
      else if (name === "si") strings.push(current)
    }
  })
  return strings
}

/** The column of a reference such as `AB12`, counted from 0. */
const columnOf = (reference: string): number => {
  let column = 0
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64
    if (value < 1 || value > 26) break
    column = column * 26 + value
  }
  return column - 1
}

const valueOf = (raw: string, type: string, format: number, workbook: Workbook): string => {
  if (type === "s") return workbook.strings[Number(raw)] ?? ""
  if (type === "b") return raw === "1" ? "TRUE" : "FALSE"
  const number = Number(raw)
  if (type !== "n" || raw === "" || !Number.isFinite(number)) return raw
  const shown = workbook.formats[format]
  return shown?.kind === "date" ? dateText(number, workbook.from1904) : numberText(number, shown)
}

/** The block of consecutive rows: a table, or a line of text if there is only one cell. */
const blockOf = (rows: ReadonlyArray<ReadonlyArray<string>>): Block => {
  const trimmed = trimmedRows(rows)
  const only = trimmed.length === 1 && trimmed[0]?.length === 1 ? trimmed[0][0] : undefined
  return only === undefined ? { kind: "table", rows: trimmed } : { kind: "paragraph", text: only }
}

/** The tables of a sheet, split at empty rows. Dates are in ISO form, formulas have their values. */
const readSheet = (bytes: Uint8Array, workbook: Workbook): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let rows: Array<Array<string>> = []
  let row = new Map<number, string>()
  let [column, lastRow, number] = [-1, 0, 0]
  let [type, format, raw, inValue] = ["n", 0, "", false]
  const flush = () => {
    if (rows.length > 0) blocks.push(blockOf(rows))
    rows = []
  }
  const endRow = () => {
    if (row.size === 0) return
    if (number > lastRow + 1) flush()
    lastRow = number
    // A few cells far to the right must not produce long rows of empty cells.
    const width = Math.min(16_384, Math.max(...row.keys()) + 1)
    rows.push(Array.from({ length: width }, (_, i) => row.get(i) ?? ""))
  }
  const open = (name: string, attributes: Attributes) => {
    if (name === "row") {
      number = Number(attribute(attributes, "r") ?? number + 1) || number + 1
      row = new Map()
      column = -1
    } else if (name === "c") {
      const reference = attribute(attributes, "r")
      column = reference === undefined ? column + 1 : columnOf(reference)
      type = attribute(attributes, "t") ?? "n"
      format = Number(attribute(attributes, "s") ?? 0)
      raw = ""
    } else if (name === "v" || name === "t") inValue = true
  }
  readXml(bytes, {
    open,
    text: (text) => {
      if (inValue) raw += text
    },
    close: (name) => {
      if (name === "v" || name === "t") inValue = false
      else if (name === "c") {
        const value = valueOf(raw, type, format, workbook).trim()
        if (value !== "" && column >= 0) row.set(column, value)
      } else if (name === "row") endRow()
    }
  })
  flush()
  return blocks
}

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
