import type { Label } from "./Labels.ts"

/** The fewest letters of a label that may have a wrong one. */
export const shortestForgiving = 7

/**
 * How many of the first and the last letters a string of this length is looked up by. One wrong letter changes at most one of the
 * two.
 */
const edgeOf = (length: number): number => (length < longFrom ? 3 : 5)
const longFrom = 12

/**
 * Some letters of a string, and a length, as one number: it is found faster than strings, which are cut out first. Others may have
 * the same number: whoever looks up compares the strings.
 */
const keyOf = (folded: string, from: number, to: number, length: number): number => {
  let key = length
  for (let at = from; at < to; at++) key = (Math.imul(key, 31) + folded.charCodeAt(at)) | 0
  return key
}

/** The first letters of a string that is compared with those of a length. */
const startKey = (folded: string, length: number): number => keyOf(folded, 0, edgeOf(length), length)

/** Its last letters. */
const endKey = (folded: string, length: number): number =>
  keyOf(folded, folded.length - edgeOf(length), folded.length, length)

/** All labels with one text, of several fields and languages. */
interface Spelling {
  readonly folded: string
  readonly labels: ReadonlyArray<Label>
}

/** Labels by one of their edges and by the length of the strings that they may be. */
type ByEdge = Map<number, Array<Spelling>>

/** The labels that misspelt and misread strings may be: tens of thousands, of which a string is compared with a few. */
export interface NearLabels {
  readonly first: ByEdge
  readonly last: ByEdge
}

const add = (edges: ByEdge, key: number, spelling: Spelling): void => {
  const same = edges.get(key)
  if (same === undefined) edges.set(key, [spelling])
  else same.push(spelling)
}

/** Indexes the labels that are long enough to have a wrong letter; the string may have a letter more or less. */
export const nearLabels = (all: ReadonlyArray<Label>): NearLabels => {
  const [first, last]: [ByEdge, ByEdge] = [new Map(), new Map()]
  const possible = all.filter(
    ({ folded, later }) => later === undefined && folded.length >= shortestForgiving
  )
  for (const [folded, labels] of Map.groupBy(possible, (label) => label.folded))
    for (const length of [folded.length - 1, folded.length, folded.length + 1]) {
      add(first, startKey(folded, length), { folded, labels })
      add(last, endKey(folded, length), { folded, labels })
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
  const [beginAlike, endAlike] = [first.get(startKey(folded, length)), last.get(endKey(folded, length))]
  if ((beginAlike === undefined && endAlike === undefined) || /\d/u.test(folded)) return []
  const near: Array<Spelling> = []
  for (const alike of [beginAlike, endAlike])
    for (const spelling of alike ?? [])
      if (mayBeNear(folded, spelling.folded) && near.every((one) => one.folded !== spelling.folded))
        near.push(spelling)
  if (near.length === 0) return []
  const forms = near.map(({ folded: own, labels }) => ({ labels, forms: new Set([own, ...withoutOne(own)]) }))
  for (const form of [folded, ...withoutOne(folded)]) {
    const found = forms.filter((one) => one.forms.has(form))
    if (found.length > 0) return found.flatMap(({ labels }) => labels)
  }
  return []
}
