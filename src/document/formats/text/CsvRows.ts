/** Reads one record after the other; quotes enclose delimiters and line ends, doubled quotes are one. */
export const csvRows = (text: string, delimiter: string): Array<Array<string>> => {
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  let at = 0
  while (at < text.length) {
    let cell: string
    if (text[at] === '"') {
      const parts: Array<string> = []
      let from = at + 1
      for (;;) {
        const quote = text.indexOf('"', from)
        const end = quote < 0 ? text.length : quote
        parts.push(text.slice(from, end))
        at = end + 1
        if (text[at] !== '"') break
        parts.push('"')
        from = at + 1
      }
      cell = parts.join("")
      // Text between the closing quote and the delimiter belongs to the cell, although it should not be there.
      const rest = endOfCell(text, at, delimiter)
      cell += text.slice(at, rest)
      at = rest
    } else {
      const end = endOfCell(text, at, delimiter)
      cell = text.slice(at, end)
      at = end
    }
    row.push(cell.trim())
    if (text[at] === delimiter) {
      at++
      if (at < text.length) continue
      row.push("")
    }
    rows.push(row)
    row = []
    if (text[at] === "\r" && text[at + 1] === "\n") at++
    at++
  }
  return rows
}

const endOfCell = (text: string, from: number, delimiter: string): number => {
  let at = from
  while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at++
  return at
}

/**
 * The character between the cells, which occurs equally often in almost every record; undefined if the text is not a
 * table. Looks at the beginning of the text only.
 */
export const csvDelimiter = (text: string): string | undefined => {
  const head = text.slice(0, 64 * 1024)
  // The last record of the beginning may be cut off.
  const whole = head.length < text.length ? head.slice(0, head.lastIndexOf("\n") + 1) : head
  let best: { readonly delimiter: string; readonly score: number } | undefined
  for (const delimiter of ["\t", ";", ",", "|"]) {
    const counts = csvRows(whole, delimiter)
      .filter((row) => row.some((cell) => cell !== ""))
      .slice(0, 200)
      .map((row) => row.length)
    const most = Math.max(0, ...counts)
    const same = counts.filter((count) => count === most).length
    const enough = counts.length >= 2 && most >= 2 && same >= 0.8 * counts.length
    // Sentences and addresses have commas too.
    if (!enough || (delimiter === "," && isProse(whole, most, counts.length))) continue
    const score = most * (same / counts.length)
    if (best === undefined || score > best.score) best = { delimiter, score }
  }
  return best?.delimiter
}

/** Whether commas are punctuation, as in `Acme Ltd, 1 Main Street`: in tables, spaces seldom follow every comma. */
const isProse = (text: string, columns: number, records: number): boolean => {
  const spaced = !/,\S/u.test(text.replace(/\d,\d/gu, ""))
  const sentences = /, /u.test(text) && /[.!?]\s*$/mu.test(text)
  return columns === 2 ? spaced || sentences : spaced && records < 3
}
