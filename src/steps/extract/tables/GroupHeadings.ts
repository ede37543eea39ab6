import type { TableLine } from "./TableLines.ts"

const fewestLetters = 4
const mostly = 0.8

const descriptionOf = ({ values: { description } }: TableLine): string =>
  typeof description === "string" ? description : ""

const isInCapitals = (text: string): boolean =>
  (text.match(/\p{Lu}/gu)?.length ?? 0) >= fewestLetters && !/[\p{Ll}\d]/u.test(text)

/**
 * Lines without those in capitals that head a group of items, if items are not in capitals themselves: the first line, or one below a
 * sum, above `13T Tracked Excavator` the line `HIRE CHARGES`.
 */
export const withoutGroupHeadings = (lines: ReadonlyArray<TableLine>): ReadonlyArray<TableLine> => {
  const items = lines.filter(({ kind }) => kind === "item").map(descriptionOf)
  const small = items.filter((text) => /\p{Ll}/u.test(text)).length
  if (items.length === 0 || small < mostly * items.length) return lines
  return lines.map((line, at) => {
    const isFirst = at === 0 || lines[at - 1]?.kind === "break"
    const isHeading = line.kind === "text" && isFirst && lines[at + 1]?.kind === "item"
    return isHeading && isInCapitals(descriptionOf(line)) ? { ...line, kind: "break" as const } : line
  })
}
