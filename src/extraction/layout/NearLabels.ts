import { KeySieve, keyOf } from "./KeySieve.ts"
import type { Label } from "./Labels.ts"

/** The fewest letters of a label that may have a wrong one. */
export const shortestForgiving = 7

/**
 * How many of the first and the last letters a string of this length is looked up by. One wrong letter changes at most one of the
 * two.
 */
const edgeOf = (length: number): number => (length < longFrom ? 3 : 5)
const longFrom = 12

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
interface ByEdge {
  readonly spellings: ReadonlyMap<number, ReadonlyArray<Spelling>>
  readonly sieve: KeySieve
}

/** The labels that misspelt and misread strings may be: tens of thousands, of which a string is compared with a few. */
export interface NearLabels {
  readonly first: ByEdge
  readonly last: ByEdge
}

/** Spellings by the keys of the strings that they may be: a letter more or less is possible. */
const byEdge = (
  all: ReadonlyArray<Spelling>,
  keyOfEdge: (folded: string, length: number) => number
): ByEdge => {
  const spellings = new Map<number, Array<Spelling>>()
  for (const spelling of all)
    for (const change of [-1, 0, 1]) {
      const key = keyOfEdge(spelling.folded, spelling.folded.length + change)
      const same = spellings.get(key)
      if (same === undefined) spellings.set(key, [spelling])
      else same.push(spelling)
    }
  return { spellings, sieve: new KeySieve(spellings.keys()) }
}

/** Indexes the labels that are long enough to have a wrong letter; the string may have a letter more or less. */
export const nearLabels = (all: ReadonlyArray<Label>): NearLabels => {
  const possible = all.filter(
    ({ folded, later }) => later === undefined && folded.length >= shortestForgiving
  )
  const spellings = [...Map.groupBy(possible, (label) => label.folded)].map(([folded, labels]) => ({
    folded,
    labels
  }))
  return { first: byEdge(spellings, startKey), last: byEdge(spellings, endKey) }
}

const alikeAt = ({ sieve, spellings }: ByEdge, key: number): ReadonlyArray<Spelling> | undefined =>
  sieve.passes(key) ? spellings.get(key) : undefined

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
  const beginAlike = alikeAt(first, startKey(folded, length))
  const endAlike = alikeAt(last, endKey(folded, length))
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
