import { type Lexicon, ofLexicon } from "./Lexicon.ts"
import { anyOf } from "./WordPatterns.ts"

const patterns = ofLexicon((lexicon) => ({
  yes: new RegExp(`^(?:${anyOf(lexicon.words("yes"))}|x|✓|✔|☑|☒)$`, "iu"),
  no: new RegExp(`^(?:${anyOf(lexicon.words("no"))}|☐)$`, "iu")
}))

/** What a word or a mark in a box answers; undefined where it is neither yes nor no. */
export const answerOf = (lexicon: Lexicon, text: string): boolean | undefined => {
  const { no, yes } = patterns(lexicon)
  return yes.test(text) ? true : no.test(text) ? false : undefined
}
