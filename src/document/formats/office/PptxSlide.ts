import { type Block, trimmedRows } from "../../layout/Blocks.ts"
import { type Attributes, attribute, readXml } from "../xml/Xml.ts"

interface OpenTable {
  readonly rows: Array<Array<string>>
  cell: Array<string>
}

/** The text and tables of a slide in the order of its shapes; its title is a heading. */
export const readSlide = (bytes: Uint8Array): ReadonlyArray<Block> => {
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
