import { textOfWords } from "../../domain/LineText.ts"
import { ofLexicon, type Lexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { currencyOf } from "../lexicon/CurrencySigns.ts"
import { rowKey } from "../layout/Candidate.ts"
import { isConsistent } from "./TableRow.ts"
import type { TableHeader } from "./TableHeader.ts"
import { type TableColumns, tableColumns, type TableLine, tableLine, type TableSearch } from "./TableLines.ts"
import { type Field, fieldOf } from "../lexicon/Field.ts"
import { type LabelMatch, labelMatches } from "../layout/LabelMatches.ts"
import { type LabelIndex, labelIndex } from "../layout/Labels.ts"
import type { Span } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { PresetName } from "../fields/PresetNames.ts"

/** The label of a sum in a row. */
interface SumLabel {
  readonly span: Span
  /** Whether the flow asks for the sum; of others only their usual labels are known, which may begin an item too. */
  readonly isAsked: boolean
}

/** The labels of sums in a row of a page. */
export type SumLabels = (page: number, row: number) => ReadonlyArray<SumLabel>

const leastQuality = 0.7

/** The sums that end the table of an invoice, whether a flow asks for them or not. */
const usualSums = [
  "invoice.subtotal",
  "invoice.taxAmount",
  "invoice.totalAmount"
] as const satisfies ReadonlyArray<PresetName>

const indexes = ofLexicon(() => new Map<string, LabelIndex>())

/** The labels of the sums that a flow does not ask for. */
const indexOf = (presets: ReadonlyArray<PresetName>, lexicon: Lexicon): LabelIndex => {
  const kept = indexes(lexicon)
  const key = presets.join()
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = labelIndex(
    presets.map((preset) => fieldOf(preset, { preset }, lexicon)),
    lexicon
  )
  kept.set(key, made)
  return made
}

const spansOf = (labels: ReadonlyArray<LabelMatch>, isAsked: boolean): ReadonlyArray<SumLabel> =>
  labels
    .filter(({ label, quality }) => quality >= leastQuality && label.names)
    .map(({ span }) => ({ span, isAsked }))

/**
 * The labels of sums in the rows of a document: those of the amounts that a flow asks for, and the usual ones of sums that
 * it does not ask for. The labels of a page are looked for when the first of its rows is asked about.
 */
export const sumLabelsOf = (reading: Reading, fields: ReadonlyArray<Field>): SumLabels => {
  const money = new Set(fields.filter(({ type }) => type === "money").map(({ name }) => name))
  const others = usualSums.filter((name) => !fields.some(({ preset }) => preset === name))
  const index = others.length === 0 ? undefined : indexOf(others, reading.lexicon)
  const pages = new Map<number, ReadonlyMap<string, ReadonlyArray<LabelMatch>>>()
  const othersOn = (page: number): ReadonlyMap<string, ReadonlyArray<LabelMatch>> => {
    const model = reading.pages[page]
    const known = pages.get(page)
    if (known !== undefined || index === undefined || model === undefined) return known ?? new Map()
    const found = Map.groupBy(labelMatches(index, model, page), ({ span }) => rowKey(page, span.row))
    pages.set(page, found)
    return found
  }
  return (page, row) => {
    const key = rowKey(page, row)
    const asked = (reading.labelsByRow.get(key) ?? []).filter(({ label }) => money.has(label.field))
    return [...spansOf(asked, true), ...spansOf(othersOn(page).get(key) ?? [], false)]
  }
}

/** What was read under the headings of a table. */
export interface ReadLines {
  readonly lines: ReadonlyArray<TableLine>
  /** Where each sum that may end the table is among the lines. */
  readonly ends: ReadonlyArray<number>
  readonly columns: ReadonlyArray<TableColumns>
}

const carriedWords = ofLexicon((lexicon) => wholeWords(lexicon.words("carried")))

/** The distance, in lines, from which text below an item may belong to another table. */
const farApart = 1.6

/** Whether a page goes on with a table under the same headings in the same places. */
export const sameColumns = (before: TableHeader | undefined, now: TableHeader | undefined): boolean =>
  before !== undefined &&
  now !== undefined &&
  now.headings.every(({ column, bbox }) =>
    before.headings.some((other) => other.column === column && Math.abs(other.bbox.x - bbox.x) <= 6)
  )

/** The columns of a page with the edges of the page before, where more rows show them there under the same headings. */
const withKnownEdges = (own: TableColumns, before: TableColumns | undefined): TableColumns =>
  before !== undefined &&
  before.rows > own.rows &&
  before.edges.length === own.edges.length &&
  sameColumns(before.header, own.header)
    ? { ...own, edges: before.edges, rows: before.rows }
    : own

/** Reads the lines of one table, page after page. */
export class LinesReader {
  readonly lines: Array<TableLine> = []
  readonly ends: Array<number> = []
  readonly columns: Array<TableColumns> = []
  readonly #search: TableSearch
  #items = 0
  #sum = 0
  /** Whether the sum under the table has been reached. */
  ended = false

  constructor(search: TableSearch) {
    this.#search = search
  }

  get found(): boolean {
    return this.#items > 0
  }

  /** Reads a page from row `first` on. */
  read(page: number, first: number, header: TableHeader): void {
    const rows = this.#search.reading.pages[page]?.rows ?? []
    const columns = withKnownEdges(tableColumns(this.#search, page, first, header), this.columns.at(-1))
    this.columns.push(columns)
    const before = this.#items
    const far = farApart * (this.#search.reading.pages[page]?.lineHeight ?? 10)
    let strict = false
    let last = Infinity
    for (let row = first; row < Math.min(rows.length, header.until ?? Infinity); row++) {
      const line = tableLine(this.#search, page, row, columns)
      if (line === undefined) continue
      // Other tables may follow after a gap: figures must prove that rows belong to this one.
      strict ||= this.#items > before && line.bbox.y - last > far
      if (this.#isSum(line)) {
        // A page that goes on with a table may begin with what was carried forward.
        if (this.#items > before || before === 0) {
          this.ended = true
          this.ends.push(this.lines.length)
        }
        this.#add({ ...line, kind: "break", filled: 0 })
      } else if (this.#isCarried(line)) {
        this.#add({ ...line, kind: "break", filled: 0 })
        // What follows a sum carried forward at the end of the page is its footer.
        const said = textOfWords(rows[row] ?? [])
        if (this.#items > before && carriedWords(this.#search.reading.lexicon).test(said)) break
      } else if (line.kind === "item" && !this.#isAlike(line, strict))
        this.#add({ ...line, kind: "break", filled: 0 })
      else {
        this.#add(line)
        if (line.kind !== "break") last = line.bbox.y + line.bbox.h
      }
    }
  }

  #add(line: TableLine): void {
    this.lines.push(line)
    if (line.kind !== "item") return
    this.#items++
    this.#sum += Number(this.#amountOf(line) ?? 0)
  }

  /** Whether a line looks like the items so far; where it must, it proves itself if the first item does. */
  #isAlike(line: TableLine, strict: boolean): boolean {
    const { cells, values } = line
    const first = this.lines.find(({ kind }) => kind === "item")
    if (first === undefined || isConsistent(line) === true) return true
    const { figures = [], texts = [] } = this.columns[0] ?? {}
    const same = figures.every(({ name }) => (first.values[name] === null) === (values[name] === null))
    if (strict) return same && isConsistent(first) !== true
    return same || texts.some(({ name }) => cells.has(name))
  }

  #amountOf({ values }: TableLine): unknown {
    const summed = this.columns.at(-1)?.summed
    return summed === undefined ? undefined : values[summed]
  }

  /** Whether a line only says what the items so far add up to, at the end of a page or the beginning of the next. */
  #isCarried(line: TableLine): boolean {
    const amount = this.#amountOf(line)
    return (
      line.filled === 1 &&
      typeof amount === "number" &&
      this.#items > 1 &&
      Math.abs(this.#sum - amount) < 0.02
    )
  }

  /**
   * Whether a line is the sum under the table: the label of some amount with a figure in one column, or with nothing else
   * in its row. Above all items, `Fees for the survey` is one of them.
   */
  #isSum(line: TableLine): boolean {
    const { filled, page, row } = line
    const { reading } = this.#search
    if (!reading.moneyByRow.has(rowKey(page, row))) return false
    const tokens = reading.pages[page]?.rows[row] ?? []
    const words = tokens.filter(({ text }) => /\p{L}{2}/u.test(text) && currencyOf(text) === undefined)
    return this.#search.sumLabels(page, row).some(({ isAsked, span }) => {
      const labelled = new Set(tokens.slice(span.from, span.to + 1))
      return (
        (isAsked && filled === 1 && this.#items > 0) ||
        (words.length > 0 && words.every((word) => labelled.has(word)))
      )
    })
  }
}
