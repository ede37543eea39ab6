import { textOfWords } from "../../domain/LineText.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import { around } from "../layout/PageModel.ts"
import { clearBlock, clearLabel } from "./CompletedName.ts"
import type { PartyContext } from "./PartyFeatures.ts"

const dash = /^[-–—]$/u
/** The most words of a person's name and of the name of the trade together. */
const mostWords = 7

/**
 * The whole of a line `Ľubomír Hrčka – AUTOSERVIS` below the label of the seller, where one part of it was found: persons trade under their
 * name and that of their business. Behind a legal form is a branch or what the firm does.
 */
export const wholeOfDashed = (
  { reading, words }: PartyContext,
  { features = {}, ...name }: Ranked<string>
): Ranked<string> => {
  const found = { ...name, features }
  const { page, row, from } = name.span
  const all = reading.pages[page]?.rows[row] ?? []
  const phrase = all[from]?.phrase
  const first = all.findIndex((token) => token.phrase === phrase)
  const tokens = all.filter((token) => token.phrase === phrase)
  const isOwn = (features.ownBlock ?? 0) >= clearBlock || (features.ownLabel ?? 0) >= clearLabel
  const at = tokens.findIndex(({ text }) => dash.test(text))
  const [front, behind] = [textOfWords(tokens.slice(0, at)), textOfWords(tokens.slice(at + 1))]
  const isName = [front, behind].every((part) => /^\p{Lu}[\p{L}\s.'’&-]+$/u.test(part))
  const isDashed =
    at > 1 && tokens.length <= mostWords + 1 && isName && !words.endsInForm(front) && !words.isTitle(front)
  if (!isOwn || !isDashed || tokens.slice(at + 1).some(({ text }) => dash.test(text))) return found
  const text = textOfWords(tokens)
  const span = { page, row, from: first, to: first + tokens.length - 1 }
  return { ...found, span, bbox: around(tokens), text, value: text }
}
