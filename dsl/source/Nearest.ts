/** How many letters were added, left out, changed, or exchanged with their neighbour. */
const distance = (left: string, right: string): number => {
  let beforePrevious: ReadonlyArray<number> = []
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      const exchanged = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const exchange = exchanged && row > 1 && column > 1 ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity
      current.push(
        Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution, exchange)
      )
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.length] ?? 0
}

const longestNameCompared = 100

/** The name in `names` that `wrong` was most likely meant to be; undefined if none is similar enough. */
export const nearest = (wrong: string, names: Iterable<string>): string | undefined => {
  if (wrong.length > longestNameCompared) return undefined
  const lower = wrong.toLowerCase()
  let best: string | undefined
  let bestDistance = (wrong.length === 1 ? 0 : Math.ceil(wrong.length / 3)) + 0.5
  for (const name of names) {
    if (name.length > longestNameCompared) continue
    const found = name.toLowerCase() === lower ? 0 : distance(lower, name.toLowerCase())
    if (found < bestDistance) {
      best = name
      bestDistance = found
    }
  }
  return best
}

/** “Did you mean …?”, if there is a similar name. */
export const didYouMean = (wrong: string, names: Iterable<string>): string | undefined => {
  const name = nearest(wrong, names)
  return name === undefined ? undefined : `Did you mean "${name}"?`
}
