import type { Line, Page } from "../../domain/DocumentIR.ts"
import { fold } from "../extract/page/Fold.ts"
import { words } from "../Phrases.ts"

/** What is on a page that is the same on all pages of a document, or only on its first or its last. */
export interface PageFacts {
  /** The labelled numbers in its head, like the number of an invoice: the value of each label. */
  readonly numbers: ReadonlyMap<string, string>
  /** The amounts next to words like "total". */
  readonly totals: ReadonlySet<string>
  readonly hasSalutation: boolean
  readonly hasClosing: boolean
  readonly isContinued: boolean
  /** Whether a line at its top is much larger than its lines are. */
  readonly hasTitle: boolean
}

/** The head of a page: so much of its lines. */
const headShare = 0.5
const leastHead = 12

/** No label or total is further to the right; a line may be as long as a document wants. */
const mostCharacters = 300

const textsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<string> =>
  lines.map(({ text }) => text.slice(0, mostCharacters))

/** "Number" at the end of a word, or as a word of its own. */
const numberWord =
  "(?:\\p{L}*(?:nummer|number|numero|número|numéro|-nr)|nr|nro|no|num|id|ref|reference|référence|n[°º]|n\\.\\s?[°º]|nº|№|#)"

/** `Invoice No. 4711`, `Rechnungsnummer: R-4711`, `Facture N° F/17`: a label that says "number", and a value with a digit. */
const labelled = new RegExp(
  `(?<![\\p{L}\\p{N}])((?:\\p{L}[\\p{L}\\p{M}.'-]*\\s+){0,3}${numberWord})(?!\\p{L})\\s*[.:#]*\\s*([\\p{L}\\p{N}][\\p{L}\\p{N}/_.-]*\\d[\\p{L}\\p{N}/_.-]*)`,
  "giu"
)

const numbersOf = ({ lines }: Page): ReadonlyMap<string, string> => {
  const head = lines.slice(0, Math.max(leastHead, Math.ceil(lines.length * headShare)))
  const found = new Map<string, string>()
  for (const text of textsOf(head)) {
    for (const [, label = "", value = ""] of text.matchAll(labelled)) {
      const key = fold(label)
      if (!found.has(key)) found.set(key, fold(value))
    }
  }
  return found
}

const totalWords = [
  "total",
  "totals",
  "grand total",
  "total due",
  "amount due",
  "balance due",
  "gesamt",
  "gesamtbetrag",
  "summe",
  "endbetrag",
  "rechnungsbetrag",
  "zu zahlen",
  "montant total",
  "total ttc",
  "net a payer",
  "totaal",
  "te betalen",
  "importe total",
  "totale",
  "suma",
  "razem",
  "att betala",
  "at betale",
  "yhteensa"
].map((text) => words(text))
const amount = /\d[\d.,' ]*[.,]\d{2}(?!\d)/gu

const totalsOf = ({ lines }: Page): ReadonlySet<string> =>
  new Set(
    textsOf(lines).flatMap((text) => {
      const said = words(text)
      if (!totalWords.some((word) => said.includes(word))) return []
      return [...text.matchAll(amount)].map(([value]) => value.replace(/\D/gu, ""))
    })
  )

const salutation =
  /^\W*(?:dear\s|to whom it may concern|sehr geehrte|liebe[rs]?\s|guten tag\b|madame|monsieur|mesdames|cher\s|chère\s|geachte|beste\s|estimad[oa]|muy señor|gentile|egregio|spett\.?\s|prezad[oa]|caro\s|hej\s|szanowni)/iu
const closing =
  /^\W*(?:(?:yours|very) (?:sincerely|faithfully|truly)|(?:kind|best|warm) regards|regards\b|sincerely\b|mit (?:freundlichen|besten) grü(?:ß|ss)en|hochachtungsvoll|freundliche grüsse|cordialement|veuillez agréer|met vriendelijke groet|hoogachtend|atentamente|saludos cordiales|cordiali saluti|distinti saluti|atenciosamente|med vänlig hälsning|z poważaniem)/iu
const continued =
  /(?<!\p{L})(?:continued|cont['’]d|carried forward|brought forward|fortsetzung|übertrag|report à nouveau|à reporter|vervolg|continuación|suma y sigue|seguito|riporto)(?!\p{L})/iu

/** A salutation is below the address, so far down at most. */
const salutationLines = 25
const topLines = 5

const titleLines = 8
const titleSize = 1.5

const hasTitle = ({ lines }: Page): boolean => {
  const heights = lines.map(({ bbox }) => bbox.h).toSorted((left, right) => left - right)
  const usual = heights[Math.floor(heights.length / 2)] ?? 0
  return lines.slice(0, titleLines).some(({ bbox }) => bbox.h >= usual * titleSize && usual > 0)
}

/** Reads what tells the beginning of a document from a page. */
export const factsOf = (page: Page): PageFacts => ({
  numbers: numbersOf(page),
  totals: totalsOf(page),
  hasSalutation: textsOf(page.lines.slice(0, salutationLines)).some((text) => salutation.test(text)),
  hasClosing: textsOf(page.lines).some((text) => closing.test(text)),
  isContinued: textsOf(page.lines.slice(0, topLines)).some((text) => continued.test(text)),
  hasTitle: hasTitle(page)
})
