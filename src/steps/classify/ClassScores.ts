import { type DocumentIR, pageText } from "../../domain/DocumentIR.ts"
import { hasPhrase, topOf, words } from "../Phrases.ts"
import type { Classes } from "./Class.ts"

/** A keyword that stands in a document, and the first page that it stands on. */
export interface FoundKeyword {
  readonly page: number
  readonly text: string
}

/** How much a document has of a class. */
export interface Score {
  readonly name: string
  readonly points: number
  readonly found: ReadonlyArray<FoundKeyword>
}

/** What stands at the top of a first page says most about a document. */
const topPoints = 3
const firstPagePoints = 2

/**
 * How much a document has of each class, the best first: for each keyword three points at the top of the first page, two
 * elsewhere on it, one on a later page; none at all for a class of which a word in `not` stands anywhere.
 */
export const scoresOf = ({ pages }: DocumentIR, classes: Classes): ReadonlyArray<Score> => {
  const [first] = pages
  const top = first === undefined ? "" : topOf(first)
  const texts = pages.map((page) => words(pageText(page)))
  const pageWith = (phrase: string): number => texts.findIndex((text) => hasPhrase(text, phrase))
  const pointsOf = (phrase: string, page: number): number => {
    if (page > 0) return 1
    return hasPhrase(top, phrase) ? topPoints : firstPagePoints
  }
  return Object.entries(classes)
    .map(([name, { keywords = [], not = [] }]) => {
      if (not.some((phrase) => pageWith(phrase) >= 0)) return { name, points: 0, found: [] }
      const hits = keywords
        .map((phrase) => ({ phrase, page: pageWith(phrase) }))
        .filter(({ page }) => page >= 0)
      return {
        name,
        points: hits.reduce((total, { page, phrase }) => total + pointsOf(phrase, page), 0),
        found: hits.map(({ page, phrase }) => ({ page: pages[page]?.pageNumber ?? 1, text: phrase }))
      }
    })
    .toSorted((left, right) => right.points - left.points)
}

/** How far the best class is ahead of the next, from 0 to 1: 0 where two are equal or no keyword was found. */
export const leadOf = (scores: ReadonlyArray<Score>): number => {
  const [best, next] = scores
  if (best === undefined || best.points === 0) return 0
  return (best.points - (next?.points ?? 0)) / best.points
}

const leastLead = 1 / 3
const leastPoints = 2

/**
 * Whether keywords decide: the best class has two points or more, and is ahead of the next by at least a third of its
 * points.
 */
export const isDecided = (scores: ReadonlyArray<Score>): boolean =>
  (scores[0]?.points ?? 0) >= leastPoints && leadOf(scores) >= leastLead
