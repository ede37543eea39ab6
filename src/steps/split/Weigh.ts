import type { Page } from "../../domain/DocumentIR.ts"
import type { PageFacts } from "./PageFacts.ts"
import type { PageMark } from "./PageMark.ts"

/** A sign that a document begins on a page. */
export type Signal = "blank" | "number" | "words" | "identifier" | "class" | "total" | "layout"

/** A page and what is known of it. */
export interface SeenPage {
  readonly page: Page
  readonly mark: PageMark | undefined
  readonly facts: PageFacts
  /** Whether one of the flow's first words is at its top. */
  readonly hasFirstWords: boolean
  /** Its class, where keywords decide. */
  readonly kind: string | undefined
  /** Whether a blank page comes before it. */
  readonly afterBlank: boolean
}

/** Evidence for a beginning or, below 0, against it. */
export interface Weight {
  readonly signal: Signal
  readonly points: number
}

const sameMark = (mark: PageMark, last: PageMark): boolean =>
  mark.certain === last.certain && mark.total === last.total

/** A document whose pages are numbered says best where it begins. A figure without a word may be anything. */
const byNumber = (seen: SeenPage, part: ReadonlyArray<SeenPage>): number => {
  const { mark } = seen
  const index = part.findLastIndex((other) => other.mark !== undefined)
  const last = part[index]?.mark
  if (mark === undefined) {
    const isNext = index === part.length - 1 && last?.total !== undefined
    if (!isNext) return 0
    // After the last page of a document another one begins; before it, a page may lack its number.
    return last.number === last.total ? 2 : -1
  }
  const trust = mark.certain ? 1 : 0.4
  if (mark.number === 1) return (mark.total === undefined ? 3 : 4) * trust
  if (last === undefined) return (mark.number === part.length + 1 ? -4 : -2) * trust
  if (!sameMark(mark, last)) return 3 * trust
  if (mark.number === last.number + part.length - index) return -4 * trust
  return (mark.number > last.number ? -2 : 3) * trust
}

const valuesOf = (part: ReadonlyArray<SeenPage>, label: string): ReadonlyArray<string> =>
  part.flatMap(({ facts }) => facts.numbers.get(label) ?? [])

/**
 * Another number next to the same label (the number of the next invoice), or the same one again (a running head). A first
 * number after pages without any is a weak sign.
 */
const byIdentifier = ({ facts }: SeenPage, part: ReadonlyArray<SeenPage>): number => {
  if (facts.numbers.size === 0) return 0
  if (part.every((other) => other.facts.numbers.size === 0)) return 0.5
  let same = 0
  for (const [label, value] of facts.numbers) {
    const before = valuesOf(part, label)
    if (before.length > 0 && !before.includes(value)) return 3
    if (before.length > 0) same++
  }
  return same > 0 ? -2 : 0
}

/** A document has one total; a page with another one belongs to another document. */
const byTotal = ({ facts }: SeenPage, part: ReadonlyArray<SeenPage>): number => {
  const before = new Set(part.flatMap((other) => [...other.facts.totals]))
  if (before.size === 0 || facts.totals.size === 0) return 0
  return [...facts.totals].some((value) => before.has(value)) ? -1 : 1.5
}

const byClass = ({ kind }: SeenPage, part: ReadonlyArray<SeenPage>): number => {
  const before = part.findLast((other) => other.kind !== undefined)?.kind
  return kind !== undefined && before !== undefined && kind !== before ? 3 : 0
}

const sizeStep = 0.05

/** Another size of paper, whichever way it lies. */
const isOtherSize = (page: Page, last: Page | undefined): boolean => {
  if (last === undefined || page.width === 0 || last.width === 0) return false
  const [short, long] = [Math.min(page.width, page.height), Math.max(page.width, page.height)]
  const [lastShort, lastLong] = [Math.min(last.width, last.height), Math.max(last.width, last.height)]
  return Math.abs(short / lastShort - 1) > sizeStep || Math.abs(long / lastLong - 1) > sizeStep
}

/** A large title is a weak sign: chapters have titles too. */
const byLayout = ({ facts, page }: SeenPage, part: ReadonlyArray<SeenPage>): number =>
  (isOtherSize(page, part.at(-1)?.page) ? 1 : 0) + (facts.hasTitle ? 0.5 : 0)

/**
 * The evidence for and against a page being the first of another document than `part`, which is not empty. The sizes of
 * the weights were set by hand and looked at on generated files (test/steps/kinds-of-steps/Split.test.ts).
 */
export const weigh = (seen: SeenPage, part: ReadonlyArray<SeenPage>): ReadonlyArray<Weight> => {
  const { afterBlank, facts, hasFirstWords } = seen
  const hasEnded = part.at(-1)?.facts.hasClosing === true
  const words =
    (hasFirstWords ? 3 : 0) +
    (facts.hasSalutation ? 2 : 0) +
    (hasEnded ? 0.5 : 0) -
    (facts.isContinued ? 3 : 0)
  const weights: ReadonlyArray<Weight> = [
    { signal: "number", points: byNumber(seen, part) },
    { signal: "blank", points: afterBlank ? 3 : 0 },
    { signal: "words", points: words },
    { signal: "identifier", points: byIdentifier(seen, part) },
    { signal: "class", points: byClass(seen, part) },
    { signal: "total", points: byTotal(seen, part) },
    { signal: "layout", points: byLayout(seen, part) }
  ]
  return weights.filter(({ points }) => points !== 0)
}

/** All weights together. */
export const pointsOf = (weights: ReadonlyArray<Weight>): number =>
  weights.reduce((total, { points }) => total + points, 0)

/** A page with this number of points begins a document. */
export const enough = 1
const sureToBegin = 2
const sureToGoOn = -1

/** Whether the weights leave it open: a model may decide. */
export const isDoubtful = (points: number): boolean => points > sureToGoOn && points < sureToBegin
