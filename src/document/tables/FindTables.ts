import type { Box, Table } from "../../domain/DocumentIR.ts"
import type { RawPage, RawWord, Ruling } from "../formats/FormatReader.ts"
import { boxAround, cellText, type WordTable } from "./TableCells.ts"
import { gridsOf } from "./TableGrids.ts"
import { alignedTables } from "./AlignedTables.ts"
import { ruledTable } from "./RuledTables.ts"
import { uprightBox, uprightRuling } from "../layout/Upright.ts"

/** Pages with more words are lists of data or attacks: finding tables takes too long. */
const mostWords = 6000

const round = (value: number): number => Math.round(value * 100) / 100

const roundBox = ({ h, w, x, y }: Box): Box => ({ x: round(x), y: round(y), w: round(w), h: round(h) })

const isInside = (word: Box, box: Box): boolean => {
  const [x, y] = [word.x + word.w / 2, word.y + word.h / 2]
  return x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h
}

const foundIn = (words: ReadonlyArray<RawWord>, rulings: ReadonlyArray<Ruling>): ReadonlyArray<WordTable> => {
  const ruled: Array<WordTable> = []
  for (const grid of gridsOf(rulings)) {
    const table = ruledTable(grid, words)
    if (table !== undefined) ruled.push(table)
  }
  const rest = words.filter((word) => !ruled.some(({ box }) => isInside(word, box)))
  return [...ruled, ...alignedTables(rest, rulings)].toSorted(
    (a, b) => a.box.y - b.box.y || a.box.x - b.box.x
  )
}

/** The direction in which most words of a page run. */
const mainTurn = (words: ReadonlyArray<RawWord>): RawWord["turn"] => {
  const turns = [0, 1, 2, 3] as const
  const counts = turns.map((turn) => words.filter((word) => word.turn === turn).length)
  return turns[counts.indexOf(Math.max(...counts))] ?? 0
}

/**
 * Finds the tables of a page: in grids of drawn lines and, outside of them, in words aligned in columns. A page that is
 * printed sideways is read sideways.
 */
export const findTables = (page: RawPage): ReadonlyArray<Table> => {
  if (page.words.length < 4 || page.words.length > mostWords) return []
  const turn = mainTurn(page.words)
  const originals = new Map<RawWord, RawWord>()
  for (const word of page.words) {
    if (word.turn === turn) originals.set({ ...word, ...uprightBox(word, turn, page), turn: 0 }, word)
  }
  const rulings = (page.rulings ?? []).map((ruling) => uprightRuling(ruling, turn, page))
  return foundIn([...originals.keys()], rulings).map(({ rows }) => {
    const cells = rows.map((row) =>
      row.map((words) => {
        const boxes = words.map((word) => originals.get(word) ?? word)
        const text = cellText(words)
        return boxes.length === 0 ? { text } : { text, bbox: roundBox(boxAround(boxes)) }
      })
    )
    const boxes = cells.flatMap((row) => row.flatMap(({ bbox }) => (bbox === undefined ? [] : [bbox])))
    return { bbox: roundBox(boxAround(boxes)), rows: cells }
  })
}
