/** The columns at which a line may begin: its indentation, and that of a key after `- `. */
const columnsOf = (line: string): ReadonlyArray<number> => {
  const [, spaces = "", dashes = ""] = /^( *)((?:- +)*)/u.exec(line) ?? []
  return dashes === "" ? [spaces.length] : [spaces.length, spaces.length + dashes.length]
}

const counted = (columns: number): string => `${columns} ${columns === 1 ? "space" : "spaces"}`

/**
 * Compares the indentation of a line with the lines above: says how far it is indented and how far it could be.
 * Undefined if it fits.
 *
 * @param lines the lines of the file
 * @param index the line, counted from 0
 */
export const indentAdvice = (lines: ReadonlyArray<string>, index: number): string | undefined => {
  const line = lines[index] ?? ""
  const own = line.search(/\S/u)
  if (own < 0) return undefined
  const levels = new Map<number, number>()
  let lowest = Infinity
  for (let above = index - 1; above >= 0 && lowest > 0; above--) {
    const text = lines[above] ?? ""
    if (text.trim() === "" || text.trimStart().startsWith("#")) continue
    const columns = columnsOf(text)
    for (const column of columns) if (column < lowest && !levels.has(column)) levels.set(column, above + 1)
    lowest = Math.min(lowest, ...columns)
  }
  if (levels.has(own) || levels.size === 0) return undefined
  const [nearest, ...others] = [...levels].sort(
    ([left], [right]) => Math.abs(left - own) - Math.abs(right - own) || right - left
  )
  if (nearest === undefined) return undefined
  const [second] = others
  const or = second === undefined ? "" : `, or by ${second[0]} as line ${second[1]}`
  return `The line is indented by ${counted(own)}. Indent it by ${nearest[0]} as line ${nearest[1]}${or}.`
}
