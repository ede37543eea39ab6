import type { Block } from "../../layout/Blocks.ts"
import { OpenTables } from "../../layout/OpenTables.ts"

/** The properties of the current paragraph. */
export interface RtfParagraph {
  readonly inTable: boolean
  /** The level of a heading, from 1. */
  readonly level: number | undefined
  /** How deep it is in lists, from 0. */
  readonly depth: number
}

/** A part of an RTF document that is being read: the body, the headers, the footers or the notes. */
export class RtfPart {
  readonly blocks: Array<Block> = []
  readonly #tables = new OpenTables()
  #text = ""
  #marker = ""
  #inTable = false
  #inRow = false

  /** Adds text to the current paragraph. */
  add(text: string): void {
    this.#text += text
  }

  /** Adds to the marker of the current paragraph: a bullet or number. */
  addMarker(text: string): void {
    this.#marker += text
  }

  endParagraph(paragraph: RtfParagraph): void {
    const text = this.#text.replace(/[^\S\n]+/gu, " ").trim()
    const marker = this.#marker.trim()
    this.#text = ""
    this.#marker = ""
    if (!paragraph.inTable) this.#endTable()
    if (text === "") return
    const marked = marker === "" ? text : `${marker} ${text}`
    if (paragraph.inTable) {
      this.#beginRow()
      this.#tables.add(marked)
    } else if (paragraph.level !== undefined) {
      this.blocks.push({ kind: "heading", level: paragraph.level, text: marked })
    } else if (marker !== "") {
      const number = /^\(?[\p{L}\d.]+[.)]?$/u.test(marker) ? marker : "-"
      this.blocks.push({ kind: "item", depth: paragraph.depth, marker: number, text })
    } else this.blocks.push({ kind: "paragraph", text })
  }

  endCell(paragraph: RtfParagraph): void {
    this.#beginRow()
    this.endParagraph({ ...paragraph, inTable: true })
    this.#tables.endCell()
  }

  endRow(): void {
    this.#inRow = false
  }

  /** Ends the part; its content is in `blocks`. */
  end(): void {
    this.endParagraph({ inTable: false, level: undefined, depth: 0 })
  }

  #beginRow(): void {
    if (!this.#inTable) this.#tables.begin()
    if (!this.#inRow) this.#tables.beginRow()
    this.#inTable = true
    this.#inRow = true
  }

  #endTable(): void {
    const table = this.#inTable ? this.#tables.end() : undefined
    this.#inTable = false
    this.#inRow = false
    if (table !== undefined && table.rows.length > 0) this.blocks.push({ kind: "table", rows: table.rows })
  }
}
