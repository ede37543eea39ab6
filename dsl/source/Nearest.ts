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

/** The words of a name, in lower case: those of `invoice.totalAmount` are `invoice`, `total` and `amount`. */
const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .split(/[^\p{L}\p{N}]+|(?<=[^\p{Lu}])(?=\p{Lu})/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase())

/** Two names without the parts before their last common dot. */
const differing = (left: string, right: string): readonly [string, string] => {
  const dot = left.indexOf(".") + 1
  return dot > 0 && right.startsWith(left.slice(0, dot))
    ? differing(left.slice(dot), right.slice(dot))
    : [left, right]
}

/** The only name that begins with the words of `wrong`, or else the only one that has them: `total` for `totalAmount`. */
const completed = (wrong: string, names: ReadonlyArray<string>): string | undefined => {
  const compared = names.map((name) => {
    const [sought, text] = differing(wrong, name)
    return { name, sought: ` ${wordsOf(sought).join(" ")} `, text: ` ${wordsOf(text).join(" ")} ` }
  })
  const having = compared.filter(({ sought, text }) => sought.length >= 5 && text.includes(sought))
  const beginning = having.filter(({ sought, text }) => text.startsWith(sought))
  const best = beginning.length > 0 ? beginning : having
  return best.length === 1 ? best[0]?.name : undefined
}

/** The name in `names` that `wrong` was most likely meant to be; undefined if none is similar enough. */
export const nearest = (wrong: string, names: Iterable<string>): string | undefined => {
  if (wrong.length > longestNameCompared) return undefined
  const compared = [...names].filter((name) => name.length <= longestNameCompared)
  let best: string | undefined
  let bestDistance = Infinity
  for (const name of compared) {
    const [left, right] = differing(wrong.toLowerCase(), name.toLowerCase())
    const found = distance(left, right)
    const most = left.length === 1 ? 0 : Math.ceil(left.length / 3)
    if (found <= most && found < bestDistance) {
      best = name
      bestDistance = found
    }
  }
  // One wrong letter is a typo; a name that has the same words is more likely than one with several other letters.
  return bestDistance <= 1 ? best : (completed(wrong, compared) ?? best)
}

/** “Did you mean …?”, if there is a similar name. */
export const didYouMean = (wrong: string, names: Iterable<string>): string | undefined => {
  const name = nearest(wrong, names)
  return name === undefined ? undefined : `Did you mean "${name}"?`
}
