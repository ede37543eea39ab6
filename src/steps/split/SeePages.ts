import { Effect } from "effect"
import type { DocumentIR, Page } from "../../domain/DocumentIR.ts"
import type { Classes } from "../classify/Class.ts"
import { isDecided, scoresOf } from "../classify/ClassScores.ts"
import { CurrentLexicon } from "../extract/lexicon/CurrentLexicon.ts"
import type { Lexicon } from "../extract/lexicon/Lexicon.ts"
import { hasPhrase, topOf } from "../Phrases.ts"
import { isBlank } from "./BlankPage.ts"
import { factsOf } from "./PageFacts.ts"
import { pageMarkOf } from "./PageMark.ts"
import type { SeenPage } from "./Weigh.ts"

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
