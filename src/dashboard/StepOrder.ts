interface Placed {
  readonly path: string
  readonly startedAt: string
}

/** Steps in the order in which they started, each followed by the steps inside it. */
export const inTree = <A extends Placed>(steps: ReadonlyArray<A>): ReadonlyArray<A> => {
  const starts = new Map(steps.map(({ path, startedAt }) => [path, startedAt]))
  const compare = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
    const shorter = Math.min(one.length, other.length)
    for (let at = 0; at < shorter; at++) {
      if (one[at] === other[at]) continue
      const [left, right] = [one, other].map((names) => starts.get(names.slice(0, at + 1).join(".")))
      const byTime = left === undefined || right === undefined ? 0 : left.localeCompare(right)
      return byTime || (one[at] ?? "").localeCompare(other[at] ?? "", "en", { numeric: true })
    }
    return one.length - other.length
  }
  return steps.toSorted((one, other) => compare(one.path.split("."), other.path.split(".")))
}
