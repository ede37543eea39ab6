import * as fc from "../../support/FastCheck.ts"
import { describe, expect, it } from "vitest"
import { patternsByEnding } from "../../../src/extraction/lexicon/NameWords.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { anyOf } from "../../../src/extraction/lexicon/WordPatterns.ts"

/** Those of the lexicon, one that loses an accent at its end, and one of a letter that another one ends in. */
const forms = [...shippedLexicon().words("legalForms"), "Cité", "Tok", "K"]

const patternOf = (some: ReadonlyArray<string>): RegExp =>
  new RegExp(String.raw`(?:^|[\s.,(])${anyOf(some)}[.,)]*\s*$`, "iu")

const whole = patternOf(forms)
const byEnding = patternsByEnding(forms, patternOf)

const withoutForm = (text: string): string => {
  const pattern = byEnding(text)
  return pattern === undefined ? text : text.replace(pattern, "")
}

/** A form, or a part of one, written in other ways. */
const end = fc
  .record({
    form: fc.oneof(
      fc.constantFrom(...forms),
      fc.constantFrom("Cité", "Cite", "Tok", "o K", "Haus", "k", "", "s.", "a.s")
    ),
    isUpper: fc.boolean(),
    spaced: fc.boolean(),
    cut: fc.constantFrom(0, 0, 0, 1),
    behind: fc.constantFrom("", ".", ",", ")", " ", ".) ")
  })
  .map(({ behind, cut, form, isUpper, spaced }) => {
    const cased = isUpper ? form.toUpperCase() : form
    const letters = spaced ? cased.replaceAll(".", ". ") : cased
    return letters.slice(0, letters.length - cut) + behind
  })

describe("legal forms by their endings", () => {
  it("are found at the end of a name as all of them at once are", () =>
    fc.assert(
      fc.property(fc.constantFrom("Ahorn ", "Ahorn, ", "Ahorn & Co. ", "", "Ahorn"), end, (name, form) => {
        const text = name + form
        expect(withoutForm(text), text).toBe(text.replace(whole, ""))
      }),
      { numRuns: 3_000 }
    ))
})
