import { around } from "../layout/PageModel.ts"
import { columnBudget, columnPlaces } from "./ColumnPlaces.ts"
import type { SearchableText, SearchablePage } from "./SearchableText.ts"
import { letterOrDigit } from "./Normal.ts"
import type { Place } from "./Place.ts"
import { loosened, textRunOfString, type TextRun, type Stretch, stretchesOf } from "./TextRun.ts"

const placeOf = (page: number, textRun: TextRun, { from, to }: Stretch, quality: number): Place => {
  const words = textRun.words.slice(from, to + 1)
  const lines = [...Map.groupBy(words, ({ line }) => line).values()]
  return {
    page,
    lines: lines.map((words) => around(words.map(({ box }) => box))),
    text: words.map(({ text }) => text).join(" "),
    quality
  }
}

/** The maximum number of places: more only show that a value is a common word. */
const mostPlaces = 300

/** Looks through the pages in one way, until there are places enough. */
const search = (
  searchable: SearchableText,
  of: (page: SearchablePage, index: number) => ReadonlyArray<Place>
): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  for (const [index, page] of searchable.pages.entries()) {
    if (places.length >= mostPlaces) break
    places.push(...of(page, index))
  }
  return places
}

const inTextRun =
  (choose: (page: SearchablePage) => TextRun, wanted: TextRun, quality: number) =>
  (page: SearchablePage, index: number): ReadonlyArray<Place> => {
    const textRun = choose(page)
    return stretchesOf(textRun, wanted.text).map((stretch) => {
      // A word set in pieces ("T otal") is the same word, but one in a piece is the better place.
      const pieces = stretch.to - stretch.from + 1 > wanted.words.length
      return placeOf(index, textRun, stretch, pieces ? quality - 0.3 : quality)
    })
  }

const lettersIn = (text: string): number =>
  [...text].filter((character) => letterOrDigit.test(character)).length
/** Text without its punctuation says too little where it is shorter. */
const shortestLoose = 4
const shortestOverColumns = 8

const rightToLeft = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}]/u

const reversed = (textRun: TextRun): TextRun => ({
  ...textRun,
  text: [...textRun.text].toReversed().join("")
})

/** Signs that recognition takes for each other; no digit for another digit. */
const lookAlikes: ReadonlyMap<string, string> = new Map([
  ["o", "0"],
  ["l", "1"],
  ["i", "1"],
  ["|", "1"],
  ["s", "5"],
  ["b", "8"],
  ["z", "2"]
])
const shortestMisread = 6

const none = (): ReadonlyArray<Place> => []

const asRecognised = (text: string): string =>
  [...text].map((character) => lookAlikes.get(character) ?? character).join("")

/**
 * An identifier that recognition may have misread: `1NV-2O24`. A digit never stands for another one, so a changed figure
 * is not found.
 */
const misread = (page: SearchablePage, index: number, wanted: string): ReadonlyArray<Place> => {
  if (!page.recognised) return []
  const textRun = { ...page.rows, text: asRecognised(page.rows.text) }
  return stretchesOf(textRun, asRecognised(wanted)).map((stretch) => placeOf(index, textRun, stretch, 0.6))
}

/**
 * Where a string is: as printed (apart from spaces, case and the kinds of dashes and quotation marks), else without
 * punctuation, else over the lines of a column, else as recognition may have misread it.
 */
export const textPlaces = (searchable: SearchableText, value: string): ReadonlyArray<Place> => {
  const exact = textRunOfString(value)
  const loose = loosened(exact)
  const isLong = lettersIn(loose.text) >= shortestLoose
  const ways: ReadonlyArray<() => ReadonlyArray<Place>> = [
    () =>
      search(
        searchable,
        inTextRun(({ lines }) => lines, exact, 1)
      ),
    () =>
      search(
        searchable,
        inTextRun(({ rows }) => rows, exact, 1)
      ),
    isLong
      ? () =>
          search(
            searchable,
            inTextRun(({ looseLines }) => looseLines, loose, 0.95)
          )
      : none,
    isLong
      ? () =>
          search(
            searchable,
            inTextRun(({ looseRows }) => looseRows, loose, 0.95)
          )
      : none,
    rightToLeft.test(value)
      ? () =>
          search(
            searchable,
            inTextRun(({ rows }) => rows, reversed(exact), 0.9)
          )
      : none,
    lettersIn(loose.text) >= shortestOverColumns
      ? () => {
          const wanted = loose.text.replaceAll(" ", "")
          const budget = columnBudget()
          return search(searchable, (page, index) => {
            const model = searchable.reading.pages[index]
            const may = [wanted.slice(0, 3), wanted.slice(-3)].every((end) =>
              page.looseRows.text.includes(end)
            )
            return model === undefined || !may ? [] : columnPlaces(model, index, wanted, budget)
          })
        }
      : none,
    lettersIn(exact.text) >= shortestMisread && /\d/u.test(exact.text)
      ? () => search(searchable, (page, index) => misread(page, index, exact.text))
      : none
  ]
  for (const way of ways) {
    const places = way()
    if (places.length > 0) return places
  }
  return []
}
