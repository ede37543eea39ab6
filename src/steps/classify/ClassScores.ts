import type { DocumentIR } from "../../domain/DocumentIR.ts"
import { pageText } from "../../domain/LineText.ts"
import { documentKindOf, type KindVerdict, pagesRead } from "../../extraction/kinds/DocumentKind.ts"
import type { Lexicon } from "../../extraction/lexicon/Lexicon.ts"
import { pageModel } from "../../extraction/layout/PageModel.ts"
import { hasPhrase, topOf, words } from "../Phrases.ts"
import type { Class, Classes } from "./Class.ts"

/** A keyword that is in a document, and the first page that it is on. */
export interface FoundKeyword {
  readonly page: number
  readonly text: string
}

/** The score of a class for a document. */
export interface Score {
  readonly name: string
  readonly points: number
  readonly found: ReadonlyArray<FoundKeyword>
}

/** Keywords at the top of the first page say most about a document. */
const topPoints = 3
const firstPagePoints = 2

/** The points of a kind with probability 1. */
const kindPoints = 10

type ByKind = Pick<Score, "found" | "points">

const nothing: ByKind = { points: 0, found: [] }

/** The points of a class for its kinds; none if `other`, or a kind without a class, is more probable. */
const byKind = (
  pages: DocumentIR["pages"],
  verdict: KindVerdict | undefined,
  kinds: NonNullable<Class["kinds"]>,
  claimed: ReadonlySet<string>
): ByKind => {
  if (verdict === undefined) return nothing
  const { evidence, kind, probabilities } = verdict
  const own = probabilities.reduce(
    (sum, [name, probability]) => sum + (name !== "other" && kinds.includes(name) ? probability : 0),
    0
  )
  const rest = Math.max(...probabilities.map(([name, probability]) => (claimed.has(name) ? 0 : probability)))
  if (own <= rest) return nothing
  const isOwn = kind !== "other" && kinds.includes(kind)
  return {
    points: Math.round(100 * kindPoints * own) / 100,
    found: isOwn ? evidence.map(({ page, text }) => ({ page: pages[page]?.pageNumber ?? 1, text })) : []
  }
}

/**
 * The scores of the classes for a document, the best first: for each keyword three points at the top of the first page,
 * two elsewhere on it, one on a later page; ten times the probability of its kinds; none at all for a class of which a
 * word in `not` is anywhere.
 */
export const scoresOf = ({ pages }: DocumentIR, classes: Classes, lexicon: Lexicon): ReadonlyArray<Score> => {
  const [first] = pages
  const top = first === undefined ? "" : topOf(first)
  const texts = pages.map((page) => words(pageText(page)))
  const pageWith = (phrase: string): number => texts.findIndex((text) => hasPhrase(text, phrase))
  const pointsOf = (phrase: string, page: number): number => {
    if (page > 0) return 1
    return hasPhrase(top, phrase) ? topPoints : firstPagePoints
  }
  const claimed = new Set<string>(Object.values(classes).flatMap(({ kinds = [] }) => kinds))
  const verdict =
    claimed.size > 0
      ? documentKindOf(
          pages.slice(0, pagesRead).map((page) => pageModel(page, lexicon)),
          lexicon
        )
      : undefined
  return Object.entries(classes)
    .map(([name, { keywords = [], kinds = [], not = [] }]) => {
      if (not.some((phrase) => pageWith(phrase) >= 0)) return { name, points: 0, found: [] }
      const hits = keywords
        .map((phrase) => ({ phrase, page: pageWith(phrase) }))
        .filter(({ page }) => page >= 0)
      const ofKinds = byKind(pages, verdict, kinds, claimed)
      return {
        name,
        points: hits.reduce((total, { page, phrase }) => total + pointsOf(phrase, page), ofKinds.points),
        found: [
          ...ofKinds.found,
          ...hits.map(({ page, phrase }) => ({ page: pages[page]?.pageNumber ?? 1, text: phrase }))
        ]
      }
    })
    .toSorted((left, right) => right.points - left.points)
}

/** The lead of the best class over the next, from 0 to 1: 0 if two are equal or no keyword was found. */
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
