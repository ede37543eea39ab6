/** Neighbours that fit into one request: as many as have room, and at most `most`. One that is longer is a group of its own. */
export const inGroups = <A>(
  items: ReadonlyArray<A>,
  tokensOf: (item: A, index: number) => number,
  room: number,
  most = Infinity
): ReadonlyArray<ReadonlyArray<A>> => {
  const groups: Array<Array<A>> = []
  let left = 0
  for (const [index, item] of items.entries()) {
    const tokens = tokensOf(item, index)
    const open = groups.at(-1)
    if (open === undefined || open.length >= most || tokens > left) {
      groups.push([item])
      left = room - tokens
    } else {
      open.push(item)
      left -= tokens
    }
  }
  return groups
}
