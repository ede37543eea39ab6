const loose = (text: unknown): string =>
  String(text)
    .toUpperCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")

/** The Levenshtein distance of two strings, in UTF-16 code units. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Whether a name is the true one. It may have an addition, or a letter or two misread; half of it is wrong. */
export const isName = (found: unknown, truth: unknown): boolean => {
  const [a, b] = [loose(found ?? ""), loose(truth)]
  if (a.length < 4) return false
  return a.includes(b) || (b.includes(a) && a.length >= 0.6 * b.length) || distance(a, b) <= 0.15 * b.length
}

/** Whether an address is the true one. It may have a line too many or too few, or some letters misread; half of it is wrong. */
export const isAddress = (found: unknown, truth: string): boolean => {
  const [a, b] = [loose(found ?? ""), loose(truth)]
  return a !== "" && distance(a, b) <= 0.3 * b.length
}
