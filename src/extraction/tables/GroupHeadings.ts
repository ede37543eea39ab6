import type { TableLine } from "./TableLines.ts"

const fewestLetters = 4
const mostly = 0.8

const descriptionOf = ({ values: { description } }: TableLine): string =>
  typeof description === "string" ? description : ""

const isInCapitals = (text: string): boolean =>
  (text.match(/\p{Lu}/gu)?.length ?? 0) >= fewestLetters && !/[\p{Ll}\d]/u.test(text)

const mostWords = 12

/** The ends of the lines of sums, word by word: `03 erdarbeiten` and `erdarbeiten` of `Summe 03 Erdarbeiten`. */
const endsOfSums = (lines: ReadonlyArray<TableLine>): ReadonlySet<string> =>
  new Set(
    lines.flatMap((line) => {
      if (line.kind !== "break" || typeof line.values["amount"] !== "number") return []
      const words = descriptionOf(line).toLowerCase().split(" ").slice(-mostWords)
      return words.slice(1).map((_, at) => words.slice(at + 1).join(" "))
    })
  )

/**
 * Lines without those that head a group of items: the sum of the group repeats them, or they are in capitals, the items are not, and they
 * are the first line or below a sum: `HIRE CHARGES` above `13T Tracked Excavator`.
 */
export const withoutGroupHeadings = (lines: ReadonlyArray<TableLine>): ReadonlyArray<TableLine> => {
  const items = lines.filter(({ kind }) => kind === "item").map(descriptionOf)
  const areSmall = items.filter((text) => /\p{Ll}/u.test(text)).length >= mostly * items.length
  const sums = endsOfSums(lines)
  return lines.map((line, at) => {
    if (line.kind !== "text") return line
    const text = descriptionOf(line)
    const isFirst = at === 0 || lines[at - 1]?.kind === "break"
    const isAbove = areSmall && isFirst && isInCapitals(text) && lines[at + 1]?.kind === "item"
    return isAbove || sums.has(text.toLowerCase()) ? { ...line, kind: "break" as const } : line
  })
}
