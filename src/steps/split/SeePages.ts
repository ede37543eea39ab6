import { Effect } from "effect"
import type { DocumentIR, Page } from "../../domain/DocumentIR.ts"
import type { Classes } from "../classify/Class.ts"
import { isDecided, scoresOf } from "../classify/ClassScores.ts"
import { CurrentLexicon } from "../../extraction/lexicon/CurrentLexicon.ts"
import { type Lexicon, ofLexicon } from "../../extraction/lexicon/Lexicon.ts"
import { hasPhrase, topOf } from "../Phrases.ts"
import { factsOf } from "./PageFacts.ts"
import { pageMarkOf } from "./PageMark.ts"
import type { SeenPage } from "./Weigh.ts"
import { pageText } from "../../domain/LineText.ts"
import { anyOf } from "../../extraction/lexicon/WordPatterns.ts"

/** The whole text of a page that says that it is left blank. */
const saidBlank = ofLexicon(
  (lexicon) => new RegExp(String.raw`^\W*${anyOf(lexicon.words("blankPage"))}\W*$`, "iu")
)

/** Specks on a scanned page are recognised as a few letters that nobody is sure of. */
const mostSpecks = 6
const speckConfidence = 0.5

const isSpecks = ({ lines, source }: Page): boolean => {
  if (source !== "ocr") return false
  const words = lines.flatMap((line) => line.words ?? [])
  const letters = (
    lines
      .map(({ text }) => text)
      .join("")
      .match(/[\p{L}\p{N}]/gu) ?? []
  ).length
  const unsure = words.every(
    ({ confidence = 1, text }) => confidence < speckConfidence || !/[\p{L}\p{N}]/u.test(text)
  )
  return letters === 0 || (letters <= mostSpecks && words.length > 0 && unsure)
}

/** Whether nothing is on a page. One that could not be read is not blank: nobody knows what is there. */
const isBlank = (page: Page, lexicon: Lexicon): boolean => {
  if (page.problem !== undefined) return false
  const text = pageText(page).trim()
  return text === "" || saidBlank(lexicon).test(text) || isSpecks(page)
}

/** The signs of a first page. */
export interface Signs {
  readonly document: DocumentIR
  readonly startsWith: ReadonlyArray<string>
  readonly classes?: Classes
  readonly pageNumbers: boolean
  readonly blankPages: boolean
}

const classOf = (page: Page, classes: Classes | undefined, lexicon: Lexicon): string | undefined => {
  if (classes === undefined) return undefined
  const scores = scoresOf({ pages: [page], extras: { pageCount: 1 } }, classes, lexicon)
  return isDecided(scores) ? scores[0]?.name : undefined
}

/** Reads every page but blank ones for the signs that are wanted. Lets other work run between pages. */
export const seePages = Effect.fnUntraced(function* (signs: Signs) {
  const { blankPages, classes, document, pageNumbers, startsWith } = signs
  const lexicon = yield* CurrentLexicon
  const seen: Array<SeenPage> = []
  let afterBlank = false
  for (const page of document.pages) {
    yield* Effect.yieldNow
    if (blankPages && isBlank(page, lexicon)) {
      afterBlank = true
      continue
    }
    const top = topOf(page)
    seen.push({
      page,
      afterBlank,
      mark: pageNumbers ? pageMarkOf(page, lexicon) : undefined,
      facts: factsOf(page, lexicon),
      hasFirstWords: startsWith.some((phrase) => hasPhrase(top, phrase)),
      kind: classOf(page, classes, lexicon)
    })
    afterBlank = false
  }
  return seen
})
