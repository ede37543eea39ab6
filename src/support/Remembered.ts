/** A function that finds each answer once. It keeps what it was asked about, so it lives as long as a document is read. */
export const remembered = <A, B>(find: (value: A) => B): ((value: A) => B) => {
  const known = new Map<A, B>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const found = find(value)
    known.set(value, found)
    return found
  }
}
