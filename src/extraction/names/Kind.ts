import type { Ranked } from "../candidates/Ranked.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { fitOfKind, kindOfReading, type KindVerdict, leastFit } from "../kinds/DocumentKind.ts"
import { around, tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Finder } from "./Finder.ts"

/** The kind that the words of a document show, with the first of them. */
const shownKind = (reading: Reading, verdict: KindVerdict): Array<Ranked<string>> => {
  const { evidence, kind, probability } = verdict
  const [first] = evidence
  const { from = 0, page = 0, row = 0, to = 0 } = first ?? {}
  const span = { page, row, from, to }
  const tokens = tokensOf(reading.pages, span)
  if (tokens.length === 0) return []
  return [
    {
      span,
      bbox: around(tokens),
      text: textOfWords(tokens),
      value: kind,
      quality: 1,
      score: Math.min(0.9, probability),
      ...(first === undefined ? { computed: true } : {})
    }
  ]
}

/** The kind of a document by its titles, words and layout; `other` only if it does not look like an invoice at all. */
export const kindsOf = (reading: Reading): Array<Ranked<string>> => {
  const verdict = kindOfReading(reading)
  return verdict.kind === "other" && fitOfKind(verdict) >= leastFit ? [] : shownKind(reading, verdict)
}

/** Finds out what the document is; one without a title that could be an invoice is taken for one. */
export const kindFinder: Finder = {
  find: kindsOf,
  otherwise: { value: "invoice", confidence: 0.5, status: "inferred", by: "rules" }
}
