import type { Column, Field } from "../Field.ts"
import type { Token } from "../page/PageModel.ts"
import { lettersIn } from "./ImpliedColumns.ts"
import type { TableItems } from "./TableItems.ts"
import type { TableColumns } from "./TableLines.ts"

/** Recognition less sure than this misreads letters. */
const leastRecognised = 0.9
/** A heading that is less like the labels of its column may name another. */
const leastHeading = 0.65

/** How well the heading of a column names it; nothing where it has none. */
export const headingQuality = (columns: TableColumns, column: Column): number | undefined =>
  columns.header.headings.find((heading) => heading.column === column)?.quality

const figureTypes: ReadonlySet<string> = new Set(["number", "integer", "money"])

/** A cell of figures in which two figures are apart, as those of two columns are. */
const holdsTwo = (tokens: ReadonlyArray<Token>): boolean => {
  const phrases = new Set(tokens.filter(({ text }) => /\d/u.test(text)).map(({ phrase }) => phrase))
  return phrases.size > 1
}

/** Whether a column that was asked for may be one whose heading is unknown. */
const hasUnknown = (field: Field, { header }: TableColumns): boolean =>
  field.columns.some((column) => !header.headings.some((heading) => heading.column === column)) &&
  header.headings.some(({ column }) => column === undefined)

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((all, count) => all + count, 0)

/** Whether there is more text under headings that were not requested than in the descriptions: those may be codes. */
const hasTextElsewhere = (items: TableItems["items"]): boolean => {
  const described = items.map(({ cells }) => lettersIn(cells.get("description") ?? []))
  return sum(described) > 0 && sum(items.map(({ otherLetters }) => otherLetters)) > sum(described)
}

/** Whether words are left of most descriptions: `Activity` next to `Description` may be a part of it. */
const hasWordsBefore = (items: TableItems["items"]): boolean =>
  2 * items.filter(({ wordsBefore }) => wordsBefore).length > items.length

/** What the headings, lines and letters of a table leave open, as sentences for people. */
export const openPoints = (
  field: Field,
  { guessed, items }: TableItems,
  columns: ReadonlyArray<TableColumns>,
  byHeadings: boolean
): ReadonlyArray<string> => {
  const [first] = columns
  if (!byHeadings || first === undefined)
    return ["The columns were found by their figures, without known headings."]
  const similar = field.columns
    .filter((column) => (headingQuality(first, column) ?? 1) < leastHeading)
    .map(({ name }) => name)
  const twice = first.header.headings.flatMap(({ rival }) => (rival === undefined ? [] : [rival.name]))
  const figures = field.columns.filter(({ type }) => figureTypes.has(type)).map(({ name }) => name)
  const fused = figures.filter((name) => items.some(({ cells }) => holdsTwo(cells.get(name) ?? [])))
  const isMisread = items.some(({ cells }) =>
    [...cells.values()].flat().some(({ confidence = 1 }) => confidence < leastRecognised)
  )
  const points: ReadonlyArray<readonly [boolean, string]> = [
    [guessed, "Some lines may belong to another row."],
    [items.some(({ across }) => across), "A word lies across two columns."],
    [columns.some(({ edges }) => edges.some(({ doubtful }) => doubtful)), "It is open where a column ends."],
    [hasUnknown(field, first), "The table has a heading that is not known, and not every column has one."],
    [similar.length > 0, `The heading of ${similar.join(", ")} is only similar to its labels.`],
    [twice.length > 0, `More than one heading is a label of ${[...new Set(twice)].join(", ")}.`],
    [fused.length > 0, `Cells of ${fused.join(", ")} hold two figures.`],
    [
      hasTextElsewhere(items),
      "There is more text under headings that were not requested than in the descriptions."
    ],
    [hasWordsBefore(items), "Words left of the descriptions may be a part of them."],
    [isMisread, "Some words of the table were recognized uncertainly."]
  ]
  return points.flatMap(([is, sentence]) => (is ? [sentence] : []))
}
