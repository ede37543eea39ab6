import { Parser } from "htmlparser2"
import type { Block } from "../../layout/Blocks.ts"
import { cellCount, OpenTables } from "../../layout/OpenTables.ts"

/** Elements whose content a reader never sees; the parser keeps what is in scripts from being taken for elements. */
const unseen = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "head",
  "svg",
  "iframe",
  "object",
  "textarea",
  "select"
])
/** Elements that begin and end a paragraph. */
const breaking = new Set(
  (
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody thead tfoot tr td th ul caption"
  ).split(" ")
)
const empty = new Set([
  "br",
  "hr",
  "img",
  "input",
  "meta",
  "link",
  "area",
  "base",
  "col",
  "embed",
  "source",
  "track",
  "wbr"
])

const isHidden = (attributes: Readonly<Record<string, string>>): boolean =>
  "hidden" in attributes || /display\s*:\s*none|visibility\s*:\s*hidden/iu.test(attributes["style"] ?? "")

class HtmlBlocks {
  readonly blocks: Array<Block> = []
  readonly #tables = new OpenTables()
  readonly #lists: Array<{ readonly ordered: boolean; count: number }> = []
  #text: Array<string> = []
  #heading = 0
  #pre = 0
  #marker: string | undefined
  /** The nesting depth inside elements that are not shown. */
  #unseen = 0

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#unseen > 0 || unseen.has(name) || isHidden(attributes)) {
      if (!empty.has(name)) this.#unseen++
      return
    }
    if (name === "br") this.#text.push("\n")
    if (breaking.has(name)) this.flush()
    if (/^h[1-6]$/u.test(name)) this.#heading = Number(name[1])
    else if (name === "pre") this.#pre++
    else if (name === "ul" || name === "ol") {
      this.#lists.push({ ordered: name === "ol", count: Number(attributes["start"] ?? 1) - 1 || 0 })
    } else if (name === "li") this.#marker = this.#nextMarker()
    else if (name === "table") this.#tables.begin()
    else if (name === "tr") this.#tables.beginRow()
    else if (name === "td" || name === "th") this.#tables.spanCell(cellCount(attributes["colspan"]))
  }

  #nextMarker(): string {
    const list = this.#lists.at(-1)
    if (list === undefined || !list.ordered) return "-"
    return `${++list.count}.`
  }

  text(text: string): void {
    if (this.#unseen === 0) this.#text.push(this.#pre > 0 ? text : text.replace(/[ \t\r\n\f]+/gu, " "))
  }

  close(name: string): void {
    if (this.#unseen > 0) {
      if (!empty.has(name)) this.#unseen--
      return
    }
    if (breaking.has(name)) this.flush()
    if (/^h[1-6]$/u.test(name)) this.#heading = 0
    else if (name === "pre") this.#pre = Math.max(0, this.#pre - 1)
    else if (name === "ul" || name === "ol") this.#lists.pop()
    else if (name === "td" || name === "th") this.#tables.endCell()
    else if (name === "table") this.#endTable()
  }

  /** Ends the current paragraph. */
  flush(): void {
    const joined = this.#text.join("")
    this.#text = []
    const text =
      this.#pre > 0
        ? joined.replace(/^\n+/u, "").trimEnd()
        : joined
            .replace(/ +/gu, " ")
            .replace(/ ?\n ?/gu, "\n")
            .trim()
    if (text === "") return
    const marker = this.#marker
    this.#marker = undefined
    if (this.#tables.add(marker === undefined ? text : `${marker} ${text}`)) return
    if (this.#heading > 0) this.blocks.push({ kind: "heading", level: this.#heading, text })
    else if (this.#pre > 0) this.blocks.push({ kind: "code", text })
    else if (marker !== undefined) {
      this.blocks.push({
        kind: "item",
        depth: Math.min(8, Math.max(0, this.#lists.length - 1)),
        marker,
        text
      })
    } else this.blocks.push({ kind: "paragraph", text })
  }

  #endTable(): void {
    const table = this.#tables.end()
    if (table === undefined) return
    const { rest, rows } = table
    const [only] = rows.length === 1 && rows[0]?.length === 1 ? rows[0] : []
    // A table of one cell is a frame around text.
    if (only !== undefined) this.blocks.push({ kind: "paragraph", text: only })
    else if (rows.length > 0) this.blocks.push({ kind: "table", rows })
    if (rest !== "") this.blocks.push({ kind: "paragraph", text: rest })
  }
}

/** The visible headings, paragraphs, lists and tables of a page; nothing is run or fetched. */
export const htmlBlocks = (html: string): ReadonlyArray<Block> => {
  const builder = new HtmlBlocks()
  const parser = new Parser({
    onopentag: (name, attributes) => builder.open(name, attributes),
    ontext: (text) => builder.text(text),
    onclosetag: (name) => builder.close(name)
  })
  parser.end(html)
  builder.flush()
  return builder.blocks
}
