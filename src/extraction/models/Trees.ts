/**
 * A node of a decision tree: a leaf with its log-odds, or the number of a feature, a limit, the nodes for values up to the limit
 * and above it, and the mean log-odds of the values that reached the node.
 */
export type Node = number | readonly [feature: number, limit: number, upTo: Node, above: Node, mean: number]

/** Boosted decision trees: the log-odds of an observation are those of its leaves in all trees, added to the bias. */
export interface Trees {
  readonly bias: number
  readonly features: ReadonlyArray<string>
  readonly trees: ReadonlyArray<Node>
}

type Numbers = Readonly<Record<string, number | undefined>>

const meanOf = (node: Node): number => (typeof node === "number" ? node : node[4])

/** The log-odds of an observation. `seen` is told of each decision: its feature, and how it changed the log-odds. */
export const treeLogOdds = (
  { bias, features: names, trees }: Trees,
  features: Numbers,
  seen?: (feature: string, change: number) => void
): number => {
  const values = names.map((name) => features[name] ?? 0)
  let sum = bias
  for (const tree of trees) {
    let node = tree
    while (typeof node !== "number") {
      // Taken apart as a list, a node takes far longer.
      const next: Node = (values[node[0]] ?? 0) <= node[1] ? node[2] : node[3]
      seen?.(names[node[0]] ?? "", meanOf(next) - node[4])
      node = next
    }
    sum += node
  }
  return sum
}

/** How much each feature changed the log-odds of an observation. */
export const changesByFeature = (trees: Trees, features: Numbers): ReadonlyMap<string, number> => {
  const changes = new Map<string, number>()
  treeLogOdds(trees, features, (name, change) => changes.set(name, (changes.get(name) ?? 0) + change))
  return changes
}
