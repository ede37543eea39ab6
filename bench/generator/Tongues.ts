import { shippedLexicon } from "../../src/extraction/lexicon/ReadLexicon.ts"
import type { DocumentKind } from "../../src/extraction/lexicon/DocumentKinds.ts"
import type { Language } from "../../src/extraction/lexicon/Lexicon.ts"
import type { WordList } from "../../src/extraction/lexicon/LexiconFile.ts"
import type { Chance } from "./Chance.ts"
import { unlisted } from "./UnlistedWords.ts"

/** A language of generated documents: where it is written, and how. */
export interface Tongue {
  readonly tag: string
  readonly language: Language
  readonly country: string
  readonly currency: string
  readonly sign: string
  /** `1.234,50`: the sign between thousands, and the decimal sign. */
  readonly group: string
  readonly decimal: string
  readonly dates: ReadonlyArray<string>
  readonly mirrored: boolean
  /** Rates of sales tax, in per cent. */
  readonly rates: ReadonlyArray<number>
}

/** Tag, country, currency, sign, group, decimal, date patterns, tax rates. */
const table = `
en|US|USD|$|,|.|M/D/YYYY MM/DD/YYYY long YYYY-MM-DD|6 7.25 8.875
en|GB|GBP|£|,|.|DD/MM/YYYY long DD.MM.YY DD-Mon-YYYY|20 5
en|AU|AUD|$|,|.|DD/MM/YYYY long|10
en|IN|INR|₹|,|.|DD-MM-YYYY DD/MM/YYYY DD-Mon-YYYY|18 12
de|DE|EUR|€|.|,|DD.MM.YYYY DD.MM.YY long|19 7
de|AT|EUR|€|.|,|DD.MM.YYYY long|20 10
de|CH|CHF|CHF|'|.|DD.MM.YYYY long|8.1 2.6
fr|FR|EUR|€| |,|DD/MM/YYYY long DD-MM-YYYY|20 10 5.5
fr|BE|EUR|€|.|,|DD/MM/YYYY long|21 6
es|ES|EUR|€|.|,|DD/MM/YYYY long DD-MM-YYYY|21 10
es|MX|MXN|$|,|.|DD/MM/YYYY long|16
it|IT|EUR|€|.|,|DD/MM/YYYY long|22 10
pt|PT|EUR|€|.|,|DD-MM-YYYY YYYY-MM-DD DD/MM/YYYY|23 6
pt|BR|BRL|R$|.|,|DD/MM/YYYY long|17 12
nl|NL|EUR|€|.|,|DD-MM-YYYY long|21 9
sv|SE|SEK|kr| |,|YYYY-MM-DD long|25 12
da|DK|DKK|kr.|.|,|DD-MM-YYYY DD.MM.YYYY long|25
nb|NO|NOK|kr| |,|DD.MM.YYYY long|25 15
fi|FI|EUR|€| |,|D.M.YYYY DD.MM.YYYY|25.5 14
pl|PL|PLN|zł| |,|DD.MM.YYYY YYYY-MM-DD long|23 8
cs|CZ|CZK|Kč| |,|D.M.YYYY DD.MM.YYYY|21 12
sk|SK|EUR|€| |,|DD.MM.YYYY D.M.YYYY|23 19
hu|HU|HUF|Ft| |,|YYYY.MM.DD. YYYY-MM-DD|27 5
ro|RO|RON|lei|.|,|DD.MM.YYYY DD/MM/YYYY|19 9
el|GR|EUR|€|.|,|DD/MM/YYYY D/M/YYYY|24 13
ru|RU|RUB|₽| |,|DD.MM.YYYY long|20 10
tr|TR|TRY|TL|.|,|DD.MM.YYYY DD-MM-YYYY DD/MM/YYYY|20 10
ja|JP|JPY|¥|,|.|YYYY年M月D日 YYYY/MM/DD|10 8
zh|CN|CNY|¥|,|.|YYYY年M月D日 YYYY-MM-DD|13 6
ko|KR|KRW|₩|,|.|YYYY-MM-DD YYYY.MM.DD|10
ar|AE|AED|AED|,|.|DD/MM/YYYY YYYY-MM-DD|5
ar|SA|SAR|SAR|,|.|YYYY/MM/DD DD/MM/YYYY|15
he|IL|ILS|₪|,|.|DD/MM/YYYY DD.MM.YYYY|18
th|TH|THB|฿|,|.|DD/MM/YYYY|7
ms|MY|MYR|RM|,|.|DD/MM/YYYY DD-MM-YY|6`

/** All languages that documents are generated in. */
export const tongues: ReadonlyArray<Tongue> = table
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [
      tag = "",
      country = "",
      currency = "",
      sign = "",
      group = "",
      decimal = "",
      dates = "",
      rates = ""
    ] = line.split("|")
    const language = shippedLexicon().languages.find((one) => one.tag === tag)
    if (language === undefined) return []
    return [
      {
        tag,
        language,
        country,
        currency,
        sign,
        group,
        decimal,
        dates: dates.split(" "),
        mirrored: tag === "ar" || tag === "he",
        rates: rates.split(" ").map(Number)
      }
    ]
  })

const english = shippedLexicon().languages.find(({ tag }) => tag === "en")

/** How a thing is called in a language; in English where the lexicon has no word for it. */
const labelsOf = (tongue: Tongue, field: string, list: "labels" | "weak" | "not"): ReadonlyArray<string> => {
  const own = (tongue.language.fields[field]?.[list] ?? []).filter((label) => !label.includes("*"))
  return own.length > 0 ? own : (english?.fields[field]?.[list] ?? []).filter((label) => !label.includes("*"))
}

/** A label of a field: mostly one of the lexicon, sometimes a weak one or one that the lexicon does not have. */
export const labelOf = (chance: Chance, tongue: Tongue, field: string): string => {
  const others = unlisted[tongue.tag]?.[field] ?? []
  if (others.length > 0 && chance.odds(0.3)) return chance.pick(others)
  const weak = labelsOf(tongue, field, "weak")
  if (weak.length > 0 && chance.odds(0.15)) return chance.pick(weak)
  return chance.pick(labelsOf(tongue, field, "labels"))
}

const known = [
  "invoice.number",
  "invoice.date",
  "invoice.dueDate",
  "invoice.vendorName",
  "invoice.totalAmount"
]

/** Labels of other things that must not be taken for a field's: customer numbers, days of delivery. */
export const strangersOf = (tongue: Tongue, field: string): ReadonlyArray<string> => {
  const own = new Set(
    known.flatMap((name) =>
      [...labelsOf(tongue, name, "labels"), ...labelsOf(tongue, name, "weak")].map(shippedLexicon().foldLabel)
    )
  )
  return labelsOf(tongue, field, "not").filter((label) => !own.has(shippedLexicon().foldLabel(label)))
}

/** A word of one of the lists of the lexicon; `fallback` where the language has none. */
export const wordOf = (chance: Chance, tongue: Tongue, list: WordList, fallback: string): string => {
  const words = tongue.language.words[list] ?? []
  return words.length === 0 ? fallback : chance.pick(words)
}

/** A title of a kind of document. */
export const titleOf = (chance: Chance, tongue: Tongue, kind: DocumentKind): string => {
  const titles = tongue.language.kinds[kind]?.titles ?? english?.kinds[kind]?.titles ?? []
  return titles.length === 0 ? kind : chance.pick(titles)
}

/** Words of running text, in no order that means anything. */
export const proseOf = (chance: Chance, tongue: Tongue, words: number): string =>
  chance.some(tongue.language.common, words, words).join(" ")
