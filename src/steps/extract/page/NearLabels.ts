import type { Label } from "./Labels.ts"

/** The fewest letters of a label that may have a wrong one. */
export const shortestForgiving = 7

/**
 * The first and the last letters of a string: three of a short one, five of a long one. One wrong letter changes at most
 * one of the two. Labels at the border count as both, because a letter may be missing or added.
 */
const edgesOf = (folded: string, isLong: boolean): readonly [string, string] => {
  const edge = isLong ? 5 : 3
  return [folded.slice(0, edge), folded.slice(-edge)]
}
const longFrom = 12

/** Labels by one of their edges and by the length of the strings that they may be. */
type ByEdge = Map<string, Map<number, Array<Label>>>

/** The labels that misspelt and misread strings may be: tens of thousands, of which a string is compared with a few. */
export interface NearLabels {
  readonly first: ByEdge
  readonly last: ByEdge
}

const add = (edges: ByEdge, edge: string, label: Label): void => {
  const lengths = edges.get(edge) ?? new Map<number, Array<Label>>()
  edges.set(edge, lengths)
  const { length } = label.folded
  for (const near of [length - 1, length, length + 1]) {
    const labels = lengths.get(near)
    if (labels === undefined) lengths.set(near, [label])
    else labels.push(label)
  }
}

/** Indexes the labels that are long enough to have a wrong letter. */
export const nearLabels = (labels: ReadonlyArray<Label>): NearLabels => {
  const [first, last]: [ByEdge, ByEdge] = [new Map(), new Map()]
  for (const label of labels) {
    const { length } = label.folded
    if (label.later !== undefined || length < shortestForgiving) continue
    for (const isLong of [false, true]) {
      if (isLong ? length < longFrom - 1 : length > longFrom) continue
      const [start, end] = edgesOf(label.folded, isLong)
      add(first, start, label)
      add(last, end, label)
    }
  }
  return { first, last }
}

/** All forms of a string with one letter left out. */
const withoutOne = (text: string): Array<string> =>
  Array.from({ length: text.length }, (_, i) => text.slice(0, i) + text.slice(i + 1))

/** Whether what differs between two strings is in one place, as where a letter is added, missing, wrong or moved. */
const mayBeNear = (one: string, two: string): boolean => {
  const shorter = Math.min(one.length, two.length)
  let [same, end] = [0, 0]
  while (same < shorter && one.charCodeAt(same) === two.charCodeAt(same)) same++
  while (
    end < shorter - same &&
    one.charCodeAt(one.length - 1 - end) === two.charCodeAt(two.length - 1 - end)
  )
    end++
  const [left, right] = [one.length - end, two.length - end]
  if (left - same <= 1 && right - same <= 1) return true
  // Most strings differ in more: two letters tell, before anything is copied.
  return (
    (one.charCodeAt(same + 1) === two.charCodeAt(same) &&
      one.slice(same + 1, left) === two.slice(same, right - 1)) ||
    (one.charCodeAt(same) === two.charCodeAt(same + 1) &&
      one.slice(same, left - 1) === two.slice(same + 1, right))
  )
}

/** The labels that are a string but for one letter, which is added, missing, wrong or in another place. */
export const labelsNear = ({ first, last }: NearLabels, folded: string): ReadonlyArray<Label> => {
  const { length } = folded
  if (length < shortestForgiving) return []
  const [start, end] = edgesOf(folded, length >= longFrom)
  const [beginAlike, endAlike] = [first.get(start)?.get(length), last.get(end)?.get(length)]
  if ((beginAlike === undefined && endAlike === undefined) || /\d/u.test(folded)) return []
  const near = (beginAlike ?? []).filter((label) => mayBeNear(folded, label.folded))
  for (const label of endAlike ?? [])
    if (!label.folded.startsWith(start) && mayBeNear(folded, label.folded)) near.push(label)
  if (near.length === 0) return []
  const forms = near.map((label) => ({ label, forms: new Set([label.folded, ...withoutOne(label.folded)]) }))
  for (const form of [folded, ...withoutOne(folded)]) {
    const found = forms.filter((one) => one.forms.has(form))
    if (found.length > 0) return found.map(({ label }) => label)
  }
  return []
}
