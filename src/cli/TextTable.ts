/** The width of a string on a terminal: East Asian characters take two columns, combining marks none. */
const widthOf = (text: string): number =>
  [...text.replace(/\p{M}/gu, "")].reduce(
    (sum, character) =>
      sum +
      (/[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]/u.test(
        character
      )
        ? 2
        : 1),
    0
  )

const isNumeric = (text: string): boolean => /^[-–]?$|^-?[\d.,]+ ?%?$/u.test(text)

/** Rows as lines with aligned columns; the first row is the header. Columns of numbers are aligned to the right. */
export const textTable = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const cells = Array.from({ length: columns }, (_, column) => rows.map((row) => row[column] ?? ""))
  const widths = cells.map((column) => Math.max(...column.map(widthOf)))
  const toRight = cells.map(([, ...column]) => column.length > 0 && column.every(isNumeric))
  return rows.map((row) =>
    widths
      .map((width, column) => {
        const text = row[column] ?? ""
        const padding = " ".repeat(width - widthOf(text))
        return toRight[column] === true ? padding + text : text + padding
      })
      .join("  ")
      .trimEnd()
  )
}
