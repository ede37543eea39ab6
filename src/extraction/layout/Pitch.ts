/** A word and how wide it is, in points. */
interface Placed {
  readonly text: string
  readonly w: number
}

/** A word ends with ink, not with the space that its last letter takes up. */
const bareEnd = 0.25
/** How far the pitch of a word may be from that of the page, as a part: letters as narrow as `i` have little ink. */
const tolerance = 0.06
/** The share of the words of a page that have its pitch, at least: 0.9 to 1 in type of one width, 0.6 at most in other type. */
const leastShare = 0.8
/** Fewer words do not show a pitch. */
const leastWords = 8

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const pitches = (words: ReadonlyArray<Placed>, leastLetters: number): ReadonlyArray<number> =>
  words.flatMap(({ text, w }) => {
    const letters = [...text].length
    return letters >= leastLetters ? [w / (letters - bareEnd)] : []
  })

/** The width of a letter on a page that is set in type of one width, as a typewriter's and a till's; otherwise undefined. */
export const pitchOf = (words: ReadonlyArray<Placed>): number | undefined => {
  const found = pitches(words, 4)
  const pitch = median(found)
  const alike = found.filter((one) => Math.abs(one - pitch) <= tolerance * pitch)
  return found.length >= leastWords && alike.length >= leastShare * found.length ? pitch : undefined
}

/** Letters that two words of a phrase are apart at most: one space, with the room next to its letters. */
const oneSpace = 1.75

/**
 * The widest gap between two words of a phrase in a row of a page with a pitch: a row may be set in wider letters than the
 * others.
 */
export const widestSpace = (row: ReadonlyArray<Placed>, pitch: number): number => {
  const own = pitches(row, 3)
  return oneSpace * (own.length === 0 ? pitch : median(own))
}
