import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import type { PageModel, Token } from "../layout/PageModel.ts"

/** Printers of tills print 32, 42 or 48 letters a line; letters of a page of usual paper are 65 or more. */
const mostOnRoll = 50
/** With the smallest letters of the widest roll. */
const mostOfSmall = 64

/** The width of paper that is no letter paper, in points: 11 cm. A6, the smallest paper of letters, is 10.5 cm wide. */
const widestRoll = 290
/** A page that is so much narrower than high is cut from a roll. */
const widestOfHeight = 0.62
const mostTokens = 14

const wide = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u30FF\uFF01-\uFF60]/u

const widthInLetters = (text: string): number => {
  const letters = [...text]
  return wide.test(text)
    ? letters.reduce((sum, letter) => sum + (wide.test(letter) ? 2 : 1), 0)
    : letters.length
}

const quantile = (values: ReadonlyArray<number>, share: number): number =>
  Float64Array.from(values).toSorted()[Math.floor(share * (values.length - 1))] ?? 0

/** How many letters of usual width have room from the first to the last word of the rows. */
const lettersAcross = (tokens: ReadonlyArray<Token>): number => {
  const usual = quantile(
    tokens.filter(({ text }) => text.length > 1).map(({ text, w }) => w / widthInLetters(text)),
    0.5
  )
  if (usual === 0) return Infinity
  // A speck at the edge of a picture is no text.
  const left = quantile(
    tokens.map(({ x }) => x),
    0.01
  )
  const right = quantile(
    tokens.map(({ w, x }) => x + w),
    0.99
  )
  return (right - left) / usual
}

const maskedCard = /(?:[*•x#]{4}[ -]?){1,3}\d{4}(?!\d)/iu
const timeOfDay = /(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])/u
const amountAtEnd = /\d[.,]\d{2}\D{0,4}$/u

const tenders = ofLexicon(
  (lexicon) =>
    new Set(
      (["card", "cash", "change"] as const)
        .flatMap((list) => lexicon.words(list))
        .map((text) => lexicon.foldLabel(text))
    )
)

/** How many signs of a till a page has: the digits of a card behind stars, the time, and an amount that was handed over. */
const tillSigns = (rows: ReadonlyArray<ReadonlyArray<Token>>, lexicon: Lexicon): number => {
  const words = tenders(lexicon)
  const texts = rows.map((row) => row.map(({ text }) => text).join(" "))
  const isTender = (text: string, row: number) =>
    amountAtEnd.test(text) && rows[row]?.slice(0, 3).some(({ folded }) => words.has(folded)) === true
  return [
    texts.some((text) => maskedCard.test(text)),
    texts.some((text) => timeOfDay.test(text)),
    texts.some(isTender)
  ].filter(Boolean).length
}

/** The till signs of a document that is printed on a roll, or in one column as narrow as a roll; none of any other. */
export const signsOfRoll = (page: PageModel | undefined, lexicon: Lexicon): number | undefined => {
  const tokens = page?.rows.flat() ?? []
  if (page === undefined || tokens.length === 0) return undefined
  const letters = lettersAcross(tokens)
  const widest = Math.max(...page.rows.map((row) => row.length))
  const isSlim = page.width < widestOfHeight * page.height && widest <= mostTokens
  const signs = tillSigns(page.rows, lexicon)
  const isRoll = isSlim && letters <= mostOfSmall
  // The size of a picture says nothing of the paper.
  const fewest = tokens.some(({ confidence }) => confidence !== undefined) ? 1 : 2
  const isColumn = letters <= mostOnRoll && (page.width <= widestRoll || signs >= fewest)
  return isRoll || isColumn ? signs : undefined
}
