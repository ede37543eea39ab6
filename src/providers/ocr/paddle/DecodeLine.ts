/** A character and the first and last step of the network at which it was seen. */
export interface Character {
  readonly text: string
  readonly probability: number
  readonly from: number
  readonly to: number
}

/** The output of the network for one line: for each of `steps`, a probability for each of `classes`. */
export interface LineOutput {
  readonly values: Float32Array
  readonly steps: number
  readonly classes: number
}

/** The class of "nothing new here" in connectionist temporal classification. */
const blank = 0
/**
 * The probability from which a space is assumed between two characters: the most likely class alone would drop half of
 * them.
 */
const likelySpace = 0.025
/** The same between a digit and its point or comma, where spaces are rare. */
const likelySpaceInNumber = 0.3

const isNumeric = (text: string): boolean => /^[\d.,]$/u.test(text)
const isInNumber = (before: string, after: string): boolean =>
  isNumeric(before) && isNumeric(after) && !/^\d\d$/u.test(before + after)

const bestAt = ({ values, classes }: LineOutput, at: number): number => {
  let best = 0
  for (let c = 1; c < classes; c++) if ((values[at + c] ?? 0) > (values[at + best] ?? 0)) best = c
  return best
}

/**
 * Reads the characters of a line, spaces among them, greedily: the most likely class of each step, repetitions and
 * blanks left out. `dictionary` has a string for each class; its last class is the space.
 */
export const decodeLine = (output: LineOutput, dictionary: ReadonlyArray<string>): Array<Character> => {
  const { classes, steps, values } = output
  const characters: Array<Character> = []
  let last = blank
  let space = { probability: 0, step: 0 }
  for (let step = 0; step < steps; step++) {
    const at = step * classes
    const best = bestAt(output, at)
    const probability = values[at + best] ?? 0
    const before = characters.at(-1)
    if (best === blank) {
      const here = values[at + classes - 1] ?? 0
      if (here > space.probability) space = { probability: here, step }
    } else if (best === last && before !== undefined) {
      characters[characters.length - 1] = {
        ...before,
        to: step,
        probability: Math.max(before.probability, probability)
      }
      space = { probability: 0, step }
    } else {
      const text = dictionary[best] ?? ""
      if (before !== undefined && before.text !== " " && text !== " ") {
        const least = isInNumber(before.text, text) ? likelySpaceInNumber : likelySpace
        if (space.probability > least)
          characters.push({ text: " ", probability: space.probability, from: space.step, to: space.step })
      }
      characters.push({ text, probability, from: step, to: step })
      space = { probability: 0, step }
    }
    last = best
  }
  return characters
}
