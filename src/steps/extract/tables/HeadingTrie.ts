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
