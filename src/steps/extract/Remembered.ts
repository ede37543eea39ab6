/** A test that finds each answer once. It keeps what it was asked about, so it lives as long as a document is read. */
export const remembered = <A>(test: (value: A) => boolean): ((value: A) => boolean) => {
  const known = new Map<A, boolean>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const is = test(value)
    known.set(value, is)
    return is
  }
}
