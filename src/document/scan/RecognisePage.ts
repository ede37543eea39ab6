import { Effect } from "effect"
import type { Box, Page } from "../../domain/DocumentIR.ts"
import { turnedSize } from "../../domain/Slant.ts"
import type { OcrImage, OcrWord, Recognition } from "../../providers/ocr/Ocr.ts"
import { compactPage, type CompactPage } from "../process/CompactPage.ts"
import { decodePage } from "../process/DecodePage.ts"
import { type Row, rowsOf } from "../layout/Rows.ts"
import { ScanDirections } from "./ScanDirections.ts"
import { asItLeans, onPage, type ScanImage, straight, type Turns } from "./ScanImage.ts"
import { defined } from "../../support/Defined.ts"

interface PlacedWord extends Box {
  readonly text: string
}

const gapBetween = (left: Box, right: Box): number => right.x - (left.x + left.w)

/** Whether a word is what recognition saw of a neighbour a second time: in the same place, and a part of it. */
const isEcho = (word: PlacedWord, other: PlacedWord | undefined): boolean => {
  if (other === undefined || other.text.length <= word.text.length || !other.text.includes(word.text))
    return false
  const shared = Math.min(word.x + word.w, other.x + other.w) - Math.max(word.x, other.x)
  return shared > 0.35 * word.w
}

/** The words of a row without those that were seen twice: `5 5.636,67` and `13 1 200,88` with boxes over each other. */
export const withoutEchoes = <A extends PlacedWord>(row: ReadonlyArray<A>): ReadonlyArray<A> =>
  row.filter((word, at) => !isEcho(word, row[at - 1]) && !isEcho(word, row[at + 1]))

/** A bar or capital letter behind a number, where recognition takes the sign for litres for it. */
const likeLitre = /^[|I]$/u
const amount = /^\d+(?:[.,]\d+)?$/u

/**
 * The words of a row with `l` for litres behind a number, which recognition takes for a bar or an I: `5 |`. The border of a
 * cell is not so close, or has a figure behind it.
 */
export const withLitres = <A extends PlacedWord>(row: ReadonlyArray<A>): ReadonlyArray<A> =>
  row.map((word, at) => {
    const [before, after] = [row[at - 1], row[at + 1]]
    if (!likeLitre.test(word.text) || before === undefined || !amount.test(before.text)) return word
    const isBorder =
      after !== undefined && /^\d/u.test(after.text) && gapBetween(word, after) < 1.5 * before.h
    return gapBetween(before, word) < 0.5 * before.h && !isBorder ? { ...word, text: "l" } : word
  })

/** A border between two words, or between a figure and what is next to it: `46|km`, `64 200,00|21%`, `|9,90`. */
const inside = /(?<=[\p{L}\p{N}%.)])[|¦]+(?=[\p{L}\p{N}(])|^[|¦]+(?=\d)|(?<=[\p{L}\p{N}%.)])[|¦]+$/u
/** A border at the end or the beginning of a figure: `95.00]`, `[12`. */
const bracketAtEnd = /^(?=.*\d)([^\p{L}[\]()]+)[\]}]$/u
const bracketAtStart = /^[[{](?=.*\d)([^\p{L}[\]()]+)$/u

/** The part of a word from one letter to another, with its share of the box. */
const partOf = (word: OcrWord, from: number, to: number): OcrWord => {
  const { x, y, w, h } = word.bbox
  const step = w / word.text.length
  return {
    ...word,
    text: word.text.slice(from, to),
    bbox: { x: x + from * step, y, w: (to - from) * step, h }
  }
}

/**
 * Words without the borders of table cells, which are recognised as bars and brackets and join what they part. Boxes of
 * parts are shared out by letters. Brackets in pairs, and bars among spaces, stay.
 */
export const withoutCellBorders = (word: OcrWord): ReadonlyArray<OcrWord> => {
  const { text } = word
  const border = inside.exec(text)
  if (border !== null) {
    const end = border.index + border[0].length
    const before = border.index === 0 ? [] : [partOf(word, 0, border.index)]
    return [...before, ...(end === text.length ? [] : withoutCellBorders(partOf(word, end, text.length)))]
  }
  if (bracketAtEnd.test(text)) return [partOf(word, 0, text.length - 1)]
  return bracketAtStart.test(text) ? [partOf(word, 1, text.length)] : [word]
}

/** A label and its value, between which recognition lost the space: `Dated:11-Oct-25`, `#:PB-2207`, `Fakturanr.23918744`. */
const labelEnd = /(?<=\p{L}[\p{L}.)]|#):(?=[\p{L}\p{N}])|(?<=\p{Ll}{4})\.(?=\d{3,}\P{L}?$)/u
/** A zero that begins a word of small letters, or is among them. */
const firstLetter = /(?<![\p{L}\p{N}])0(?=\p{Ll}{3})/gu
const innerLetter = /(?<=\p{L}\p{Ll})0(?=\p{Ll}{2})/gu
const october = /(?<![\p{L}\p{N}])0(?=ct(?:ober)?(?!\p{L})|kt(?:ober)?(?!\p{L}))/gu
/** Initials with points: `z 0.0.`, `d.o.0.`. */
const initials = /^(?=.*0)(?:[\p{Ll}0]\.){2,}[,;]?$/u

const spelled = (text: string): string =>
  initials.test(text)
    ? text.replaceAll("0", "o")
    : text.replace(october, "O").replace(firstLetter, "O").replace(innerLetter, "o")

/** Words as they are printed where recognition joins or misspells them in a way that no print does: labels with their values, zeros among letters. */
export const mendedWords = (word: OcrWord): ReadonlyArray<OcrWord> => {
  const text = spelled(word.text)
  const end = labelEnd.exec(text)
  if (end === null) return [text === word.text ? word : { ...word, text }]
  const { h, w, x, y } = word.bbox
  const first = (w * (end.index + 1)) / text.length
  return [
    { ...word, text: text.slice(0, end.index + 1), bbox: { x, y, w: first, h } },
    ...mendedWords({ ...word, text: text.slice(end.index + 1), bbox: { x: x + first, y, w: w - first, h } })
  ]
}

/** The median confidence of words below which a page is doubtful. */
const doubtful = 0.8
/** Digits are recognised in any script, so only words with letters count; fewer of them say little. */
const leastLetters = 3
const leastWords = 5

const lettersOf = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

const medianOf = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1

/**
 * A warning about a recognised page whose words are mostly uncertain; undefined for any other. Engines read every page in the
 * scripts that they know, so a page in another one becomes words that mean nothing.
 */
const doubtOf = ({ lines }: Pick<Page, "lines">): string | undefined => {
  const sure = lines
    .flatMap(({ words = [] }) => words)
    .filter(({ text }) => lettersOf(text) >= leastLetters)
    .map(({ confidence = 1 }) => confidence)
  return sure.length >= leastWords && medianOf(sure) < doubtful
    ? "Most words of a page are uncertain: it may be in a script or language that recognition has no data for, or badly printed. " +
        "Check its values. For another script, install its data, such as @tesseract.js-data/tha for Thai, and name it in " +
        "DOCFLOW_OCR_LANGUAGES, such as tha,eng."
    : undefined
}

/** Words of lower confidence are mostly lines, stains and upside-down text. */
const believable = 0.6
/** A line of lower confidence is not text: rules and borders are read as rows of e and m. */
const leastOfLine = 0.4
/**
 * A page that is longer for its width than legal paper (14 by 8.5 inches) is a receipt, whose lines run from edge to
 * edge.
 */
const longestPaper = 1.65
/** The share of believable text from which a page counts as upright. */
const good = 0.6
/** The share from which the direction is beyond doubt. */
const certain = 0.75

interface Recognised {
  readonly scan: ScanImage
  readonly recognition: Recognition
  readonly words: ReadonlyArray<OcrWord>
  /** The number of believable letters, and their share. */
  readonly letters: number
  readonly share: number
}

const lettersIn = (words: ReadonlyArray<OcrWord>): number =>
  words.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0)

/** Whether lines run horizontally: Tesseract also reads vertical lines, but their order makes no sense. */
const isUpright = ({ text, bbox }: OcrWord): boolean => text.length < 3 || bbox.w > bbox.h

const weigh = (scan: ScanImage, recognition: Recognition): Recognised => {
  const words = recognition.words.flatMap(withoutCellBorders).flatMap(mendedWords)
  const letters = lettersIn(words.filter((word) => word.confidence >= believable && isUpright(word)))
  return { scan, recognition, words, letters, share: letters / Math.max(1, lettersIn(words)) }
}

const isWriting = ({ words }: Row): boolean => {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  const sure = words.reduce((sum, { text, confidence = 1 }) => sum + text.length * confidence, 0)
  return sure >= leastOfLine * letters
}

/** Lines are built of straightened words; then these are moved to their positions on the page. */
const placed = ({ scan, words }: Recognised, page: Page): CompactPage => {
  const scale = 72 / scan.dpi
  const size = { width: scan.width * scale, height: scan.height * scale }
  const raw = words.map(({ text, bbox, confidence }) => {
    const own = { x: bbox.x * scale, y: bbox.y * scale, w: bbox.w * scale, h: bbox.h * scale }
    return { text, confidence, ...straight(scan, size, own), turn: 0 as const }
  })
  const upright = compactPage({
    ...size,
    words: rowsOf(raw)
      .filter(isWriting)
      .flatMap((row) => withLitres(withoutEchoes(row.words))),
    drawn: true
  })
  const boxes = upright.boxes.slice()
  for (let at = 0; at < boxes.length; at += 4) {
    const [x = 0, y = 0, w = 0, h = 0] = boxes.subarray(at, at + 4)
    const box = onPage(scan, asItLeans(scan, size, { x, y, w, h }))
    boxes.set([box.x, box.y, box.w, box.h], at)
  }
  return { ...upright, boxes, width: page.width, height: page.height }
}

/** How the page was recognised. */
const howRead = ({ engine, languages, warning }: Recognition, page: Page): Pick<Page, "recognition"> =>
  engine === undefined
    ? {}
    : { recognition: { engine, ...defined({ languages, warning: warning ?? doubtOf(page) }) } }

const isReceipt = (scan: ScanImage): boolean => {
  const { width, height } = turnedSize(scan, scan.page)
  return height > longestPaper * width
}

/** The best of the usual directions: the first with a good result, or else the one with most letters. */
const bestOf = Effect.fnUntraced(function* <E>(
  order: ReadonlyArray<Turns>,
  attempt: (turns: Turns) => Effect.Effect<Recognised, E>
) {
  let best: Recognised | undefined
  for (const [at, turns] of order.entries()) {
    const now = yield* attempt(turns)
    if (best === undefined || now.letters > best.letters) best = now
    // An empty page has no direction, and a good result needs no second attempt, unless it looks like a turned page.
    const isGood = best.share >= good && (at > 0 || best.recognition.mayBeTurned !== true)
    if (now.words.length === 0 || isGood) break
  }
  return best
})

/**
 * Recognises a scanned page. A page with little believable text is tried in the other directions too, and the best is
 * taken, because nothing in a scan says which way is up. `pictureOf` makes its picture, with a number of quarter turns.
 * The direction of most pages of the document so far is tried first, and accepted only if it is beyond doubt: the order
 * of pages changes the time they take, but not the result, unless a page can be read both ways.
 */
export const recognisePage = Effect.fnUntraced(function* <E, E2>(
  page: Page,
  pictureOf: (turns: Turns) => Effect.Effect<ScanImage, E>,
  recognize: (image: OcrImage) => Effect.Effect<Recognition, E2>,
  directions = new ScanDirections()
) {
  const upright = yield* pictureOf(0)
  const recognised = new Map<Turns, Recognised>()
  const attempt = Effect.fnUntraced(function* (turns: Turns) {
    const before = recognised.get(turns)
    if (before !== undefined) return before
    const scan = turns === 0 ? upright : yield* pictureOf(turns)
    const dpi = scan.dpi / scan.enlarged
    const now = weigh(scan, yield* recognize({ ...scan, dpi, layout: isReceipt(scan) ? "column" : "page" }))
    recognised.set(turns, now)
    return now
  })
  const { sideways } = upright
  const likely = directions.likely(sideways, sideways ? 1 : 0)
  const tried = likely === undefined ? undefined : yield* attempt(likely)
  const best =
    tried !== undefined && tried.share >= certain
      ? tried
      : yield* bestOf(sideways ? [1, 3, 0, 2] : [0, 2, 1, 3], attempt)
  if (best === undefined) return { ...page, source: "ocr" as const }
  const { lean, turns } = best.scan
  // Those who look for rows on the page straighten it by both; a picture is turned by one of them only.
  const skew = best.scan.skew + lean
  if (best.share >= good) directions.tell(sideways, turns)
  const words = decodePage(placed(best, page), page.pageNumber)
  const read: Page = { ...words, source: "ocr", ...howRead(best.recognition, words) }
  return turns === 0 && skew === 0 ? read : { ...read, slant: { turns, skew } }
})
