import { editDistance } from "../src/support/EditDistance.ts"

const loose = (text: unknown): string =>
  String(text)
    .toUpperCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")

/** Whether a name is the true one. It may have an addition, or a letter or two misread; half of it is wrong. */
export const isName = (found: unknown, truth: unknown): boolean => {
  const [a, b] = [loose(found ?? ""), loose(truth)]
  if (a.length < 4) return false
  return (
    a.includes(b) || (b.includes(a) && a.length >= 0.6 * b.length) || editDistance(a, b) <= 0.15 * b.length
  )
}

/** Whether an address is the true one. It may have a line too many or too few, or some letters misread; half of it is wrong. */
export const isAddress = (found: unknown, truth: string): boolean => {
  const [a, b] = [loose(found ?? ""), loose(truth)]
  return a !== "" && editDistance(a, b) <= 0.3 * b.length
}
