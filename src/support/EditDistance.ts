/** The last row of the table of distances between `a` and the beginnings of `b`, from its first row on. */
const lastRow = (a: string, b: string, first: ReadonlyArray<number>): ReadonlyArray<number> => {
  let row = first
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row
}

/** The edit distance of two strings, in UTF-16 code units (Levenshtein 1966). */
export const editDistance = (a: string, b: string): number =>
  lastRow(
    a,
    b,
    Array.from({ length: b.length + 1 }, (_, index) => index)
  )[b.length] ?? 0

/** The smallest edit distance of a string and any part of another one (Sellers 1980). */
export const editDistanceToPart = (part: string, whole: string): number =>
  Math.min(
    ...lastRow(
      part,
      whole,
      Array.from({ length: whole.length + 1 }, () => 0)
    )
  )
