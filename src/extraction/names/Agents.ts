import { namesIn } from "../layout/NamesIn.ts"
import type { Reading } from "../layout/Reading.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"

const onBehalfOf = ofLexicon((lexicon) => wholeWords(lexicon.words("onBehalfOf")))

/** How many words behind `on behalf of` a firm may be: `the Landlord, Castlegate Estates (Lincoln) Ltd`. */
const mostWords = 9
/** How often the words are looked at: a longer document does not say more often for whom it is. */
const mostTimes = 20

/**
 * Whether a document says that a firm issues it for another one: `Brayford Surveyors LLP, as managing agents for and on behalf of
 * Castlegate Estates Ltd`. Behind the same words, a signature names the firm itself.
 */
export const isAgent = (reading: Reading, firm: string): boolean => {
  const { lexicon, text } = reading
  const words = namesIn(reading)
  const own = lexicon.fold(words.withoutForm(firm))
  const [, ...behind] = text.split(onBehalfOf(lexicon))
  return behind.slice(0, mostTimes).some((rest) => {
    const following = rest.trim().split(/\s+/u, mostWords)
    const end = following.findIndex((_, at) =>
      words.endsInForm(
        following
          .slice(0, at + 1)
          .join(" ")
          .replace(/[,;:]$/u, "")
      )
    )
    return end > 0 && !lexicon.fold(following.slice(0, end + 1).join(" ")).includes(own)
  })
}
