import { enough, isDoubtful, pointsOf, type SeenPage, type Signal, weigh } from "./Weigh.ts"

/** A document that was found. */
export interface Part {
  /** The sign of its beginning. */
  readonly signal: Signal | "first" | "model"
  /** Whether the rules were in doubt that it begins here. */
  readonly doubtful: boolean
  readonly pages: ReadonlyArray<SeenPage>
}

/** The documents of a file, and the indices of pages of which the rules cannot say whether they begin one. */
export interface Parts {
  readonly parts: ReadonlyArray<Part>
  readonly doubts: ReadonlyArray<number>
}

interface OpenPart extends Part {
  readonly pages: Array<SeenPage>
}

/** Takes the pages of a file apart. `decided` says of some pages, by their index, whether a document begins there. */
export const partsOf = (pages: ReadonlyArray<SeenPage>, decided: ReadonlyMap<number, boolean>): Parts => {
  const parts: Array<OpenPart> = []
  const doubts: Array<number> = []
  for (const [index, seen] of pages.entries()) {
    const open = parts.at(-1)
    if (open === undefined) {
      parts.push({ signal: "first", doubtful: false, pages: [seen] })
      continue
    }
    const weights = weigh(seen, open.pages)
    const points = pointsOf(weights)
    const said = decided.get(index)
    const doubtful = isDoubtful(points)
    if (doubtful) doubts.push(index)
    if (!(said ?? points >= enough)) {
      open.pages.push(seen)
      continue
    }
    const strongest = weights.toSorted((left, right) => right.points - left.points)[0]
    parts.push({ signal: said === true ? "model" : (strongest?.signal ?? "model"), doubtful, pages: [seen] })
  }
  return { parts, doubts }
}
