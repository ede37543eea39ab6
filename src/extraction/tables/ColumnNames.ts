import type { Column } from "../lexicon/Field.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import type { ExactNames } from "./HeadingParts.ts"

/** A way to write a column's name, and how surely it means the column. */
export interface ColumnLabel {
  /** The column's place among the columns. */
  readonly column: number
  readonly folded: string
  readonly sureness: number
}

interface Node {
  readonly next: Map<number, Node>
  readonly labels: Array<ColumnLabel>
}

const emptyNode = (): Node => ({ next: new Map(), labels: [] })

/** A label that ends here, and how well it fits: exactly, with more behind it, before it, or around it. */
const fitOf = ({ folded }: ColumnLabel, isStart: boolean, isEnd: boolean): number => {
  if (isStart && isEnd) return 1
  if (isStart && folded.length >= 3) return 0.75
  if (isEnd && folded.length >= 4) return 0.7
  return folded.length >= 5 ? 0.5 : 0
}

/**
 * The labels of columns as a trie (Fredkin 1960), so that a heading is compared with hundreds of them at once: from each of
 * its letters on, only labels that continue as the heading does are followed.
 */
export class HeadingTrie {
  readonly #root = emptyNode()
  readonly #columns: number

  constructor(labels: ReadonlyArray<ColumnLabel>, columns: number) {
    this.#columns = columns
    for (const label of labels) {
      let node = this.#root
      for (let at = 0; at < label.folded.length; at++) {
        const letter = label.folded.charCodeAt(at)
        const following = node.next.get(letter) ?? emptyNode()
        node.next.set(letter, following)
        node = following
      }
      node.labels.push(label)
    }
  }

  /** How well a heading names each column, 0–1: exactly, with more around it, or not at all. */
  namings(folded: string): ReadonlyArray<number> {
    const found = Array.from({ length: this.#columns }, () => 0)
    for (let start = 0; start < folded.length; start++) {
      let node = this.#root.next.get(folded.charCodeAt(start))
      for (let end = start + 1; node !== undefined; end++) {
        for (const label of node.labels) {
          const quality = label.sureness * fitOf(label, start === 0, end === folded.length)
          if (quality > (found[label.column] ?? 0)) found[label.column] = quality
        }
        node = end < folded.length ? node.next.get(folded.charCodeAt(end)) : undefined
      }
    }
    return found
  }
}

/** The labels of a column; the first are the surest. */
const labelsOf = ({ labels }: Column, column: number, { foldLabel }: Lexicon): Array<ColumnLabel> =>
  labels
    .map((label, rank) => ({
      column,
      folded: foldLabel(label) || label.trim(),
      sureness: 1 - 0.1 * (rank / labels.length)
    }))
    .filter(({ folded }) => folded !== "")

/** The length up to which the folded text of a cell may be a heading. */
const longestHeading = 40

/** The columns of a table as headings are compared with them. */
interface PreparedColumns {
  readonly columns: ReadonlyArray<Column>
  readonly trie: HeadingTrie
  readonly exact: ExactNames
  readonly foldLabel: (label: string) => string
}

/** A column that a heading may name, and how well. */
export interface Naming {
  readonly column: Column
  readonly quality: number
}

/** The same for one document: what was compared once is kept, but not for other documents. */
export interface ColumnNames extends PreparedColumns {
  readonly known: Map<string, ReadonlyArray<Naming>>
}

/** The columns of figures that most tables have, whether a flow asks for them or not. */
const usualFigures = ["quantity", "unitPrice", "amount"] as const

const exactNames = (columns: ReadonlyArray<Column>, lexicon: Lexicon): ExactNames => {
  const names = new Map<string, Set<string>>()
  for (const { labels, name } of columns)
    for (const folded of labels.map((label) => lexicon.foldLabel(label) || label.trim()))
      names.set(folded, (names.get(folded) ?? new Set()).add(name))
  const asked = new Set(names.keys())
  for (const usual of usualFigures)
    for (const folded of lexicon.field(`invoice.lineItems.${usual}`).labels.map(lexicon.foldLabel))
      if (!asked.has(folded)) names.set(folded, (names.get(folded) ?? new Set()).add(`usual ${usual}`))
  return names
}

const preparedOf = ofLexicon(() => new WeakMap<ReadonlyArray<Column>, PreparedColumns>())

const prepare = (columns: ReadonlyArray<Column>, lexicon: Lexicon): PreparedColumns => {
  const labels = columns.flatMap((column, at) => labelsOf(column, at, lexicon))
  const { foldLabel } = lexicon
  const trie = new HeadingTrie(labels, columns.length)
  return { columns, trie, exact: exactNames(columns, lexicon), foldLabel }
}

/** Prepares columns for `tableHeader`; the same columns are prepared once. */
export const columnNames = (columns: ReadonlyArray<Column>, lexicon: Lexicon): ColumnNames => {
  const kept = preparedOf(lexicon)
  const prepared = kept.get(columns) ?? prepare(columns, lexicon)
  kept.set(columns, prepared)
  return { ...prepared, known: new Map() }
}

const leastNaming = 0.4

/** The columns that a heading may name, by its folded text. */
export const namings = ({ columns, known, trie }: ColumnNames, folded: string): ReadonlyArray<Naming> => {
  const before = known.get(folded)
  if (before !== undefined) return before
  const qualities = folded.length > longestHeading ? [] : trie.namings(folded)
  const found = columns.flatMap((column, at) => {
    const quality = qualities[at] ?? 0
    return quality >= leastNaming ? [{ column, quality }] : []
  })
  known.set(folded, found)
  return found
}

/** A heading that is one of the column's labels, not only like it. */
const exactNaming = 0.9

/** What a part of a heading is worth that names a column exactly, compared with a whole one. */
const partOfHeading = 0.85

/** The columns that one of the parts of a heading names exactly: `Plant / Description`. */
export const namingsOfParts = (names: ColumnNames, parts: ReadonlyArray<string>): ReadonlyArray<Naming> =>
  parts
    .flatMap((part) => namings(names, names.foldLabel(part)))
    .filter(({ quality }) => quality >= exactNaming)
    .map(({ column, quality }) => ({ column, quality: partOfHeading * quality }))

/** Whether a heading is a label that the flow itself gives to a column. */
export const isNamedByFlow = ({ column, quality }: Naming): boolean =>
  column.isOwn === true && quality >= exactNaming
