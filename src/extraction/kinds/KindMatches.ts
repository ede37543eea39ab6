import { textOfWords } from "../../domain/LineText.ts"
import type { PageModel, Token } from "../layout/PageModel.ts"
import { kindsWithWords, type KindWithWords } from "../lexicon/DocumentKinds.ts"
import { type Language, type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import { unspacedLetters } from "../lexicon/WordPatterns.ts"

/** A phrase that indicates a kind of document. */
export interface KindPhrase {
  readonly kind: KindWithWords
  readonly text: string
  readonly tag: string
  /** Whether it heads documents of the kind, or only occurs in them. */
  readonly isTitle: boolean
  /** Its weight: the more kinds of its language share it, the lower. */
  readonly weight: number
}

/** All phrases by their folded text. */
export interface KindPhrases {
  readonly byText: ReadonlyMap<string, ReadonlyArray<KindPhrase>>
  /** Those of scripts without spaces, which may be a part of a longer run of letters; the longest first. */
  readonly unspaced: ReadonlyArray<readonly [folded: string, phrases: ReadonlyArray<KindPhrase>]>
  /** Folded words before the subject of a letter: `betreff`, `oggetto`. */
  readonly subjects: ReadonlySet<string>
  /** The first letters of phrases: most words begin none. */
  readonly beginnings: ReadonlySet<string>
}

/** How many letters of a phrase are kept as its beginnings: few others begin with the same ones. */
const longestBeginning = 8

/** Labels of fields that indicate a kind as its own words do; each field counts once. */
const tellingFields: ReadonlyArray<readonly [field: string, kind: KindWithWords, weight: number]> = [
  ["invoice.number", "invoice", 0.8],
  ["invoice.dueDate", "invoice", 0.6],
  ["invoice.customerVatId", "invoice", 0.4],
  ["invoice.vendorVatId", "invoice", 0.3],
  ["invoice.subtotal", "invoice", 0.3],
  ["invoice.taxAmount", "invoice", 0.3],
  ["invoice.totalAmount", "invoice", 0.3],
  ["receipt.cash", "receipt", 0.6],
  ["receipt.change", "receipt", 0.6]
]

/** Letters of scripts without spaces. */
const noSpaces = new RegExp(`[${unspacedLetters}]`, "u")

const phrasesOf = (
  { fields, kinds, tag }: Language,
  { foldLabel }: Lexicon
): ReadonlyArray<readonly [folded: string, phrase: KindPhrase]> => {
  const all = kindsWithWords.flatMap((kind) => {
    const { titles = [], words = [] } = kinds[kind] ?? {}
    const made = (isTitle: boolean) => (text: string) => ({
      kind,
      text,
      tag,
      isTitle,
      folded: foldLabel(text)
    })
    return titles.map(made(true)).concat(words.map(made(false)))
  })
  const sharing = Map.groupBy(all, ({ folded }) => folded)
  const own = all.map(({ folded, ...phrase }) => {
    const weight = 1 / new Set(sharing.get(folded)?.map(({ kind }) => kind)).size
    return [folded, { ...phrase, weight }] as const
  })
  const labels = tellingFields.flatMap(([field, kind, weight]) =>
    (fields[field]?.labels ?? [])
      .filter((label) => !label.includes("*"))
      .map((label) => [foldLabel(label), { kind, text: field, tag, isTitle: false, weight }] as const)
  )
  return [...own, ...labels].filter(([folded]) => folded !== "")
}

/** The phrases of a lexicon, prepared once. */
export const kindPhrases = ofLexicon((lexicon): KindPhrases => {
  const all = lexicon.languages.flatMap((language) => phrasesOf(language, lexicon))
  const byText = new Map(
    [...Map.groupBy(all, ([folded]) => folded)].map(([folded, phrases]) => [
      folded,
      phrases.map(([, phrase]) => phrase)
    ])
  )
  const beginnings = [...byText.keys()].flatMap((text) =>
    Array.from({ length: longestBeginning + 1 }, (_, length) => text.slice(0, length))
  )
  return {
    byText,
    unspaced: [...byText]
      .filter(([folded]) => noSpaces.test(folded))
      .toSorted(([left], [right]) => right.length - left.length),
    subjects: new Set(lexicon.words("subjects").map(lexicon.foldLabel)),
    beginnings: new Set(beginnings)
  }
})

/**
 * How much a phrase is a title by its context: nothing else in its line, other columns, a number, words of a title before it, a colon,
 * more words.
 */
export const standing = {
  line: 1,
  phrase: 0.85,
  numbered: 0.8,
  ending: 0.6,
  label: 0.3,
  inside: 0.15
} as const

/** A phrase found on a page. */
export interface KindMatch {
  readonly phrase: KindPhrase
  readonly page: number
  readonly row: number
  /** The first and the last token of the row that it takes. */
  readonly from: number
  readonly to: number
  readonly standing: number
}

type Row = ReadonlyArray<Token>

const mostWords = 7

/**
 * Whether a number follows, or what comes before one: a sign, its series, as in `FT 2025A/118`, or a word for number; or a note in
 * brackets: `Tax Invoice (Original for Recipient)`.
 */
const isNumberNext = ([next, after]: Row): boolean => {
  const { folded = "", text = "" } = next ?? {}
  if (/\d|^[([（]/u.test(text) || folded === "" || folded === "no") return true
  return /^\p{Lu}{1,5}$/u.test(text) && /\d/u.test(after?.text ?? "")
}

/** `2. Mahnung`, `1 er rappel`, `3rd reminder`: the count of a title is no other word, nor is a dash in front of it. */
const isCount = (before: Row): boolean =>
  /^\W*$/u.test(before.at(-1)?.text ?? "") ||
  /(?:^|\s)\d{1,2}\s?(?:\.|\p{L}{1,3}|[º°ª])$/u.test(textOfWords(before.slice(-2)))

/** The most words before a known title that make it a longer one: `Preliminary Estimate`, `Provisional Tax Invoice`. */
const mostBefore = 2

/** Whether every word before a token in its phrase begins with a capital letter, as in a title, and there are few of them. */
const endsTitle = (row: Row, from: number): boolean => {
  const before = row.slice(0, from).filter(({ phrase }) => phrase === row[from]?.phrase)
  return before.length <= mostBefore && before.every(({ text }) => /^\p{Lu}\p{L}*$/u.test(text))
}

const standingOf = (row: Row, from: number, to: number): number => {
  const phrase = row[from]?.phrase
  const rest = row.slice(to + 1)
  if (row[from - 1]?.phrase === phrase && !isCount(row.slice(0, from)))
    return endsTitle(row, from) && (rest[0]?.phrase !== phrase || isNumberNext(rest))
      ? standing.ending
      : standing.inside
  const [next] = rest
  if (row[to]?.text.endsWith(":") === true || next?.text === ":")
    return rest.length > 0 ? standing.label : standing.phrase
  if (next === undefined) return from === 0 ? standing.line : standing.phrase
  if (next.phrase !== phrase) return standing.phrase
  return isNumberNext(rest) ? standing.numbered : standing.inside
}

/** Whether what was read up to a token is a phrase and a word for its number: `Invoice No`, `Dodací list č.` before a number. */
const hasNumber = ({ byText }: KindPhrases, row: Row, to: number, folded: string): boolean => {
  if (folded.endsWith("no") && byText.has(folded.slice(0, -2))) return true
  const [last, next] = row.slice(to, to + 2)
  if (!/^\p{L}{1,3}\.$/u.test(last?.text ?? "") || !/\d/u.test(next?.text ?? "")) return false
  return byText.has(folded.slice(0, -(last?.folded ?? "").length))
}

/**
 * The first title of a line, or of the subject of a letter, says what the document is, and those of other kinds behind it what it is
 * about: `Zahlungserinnerung zu Rechnung Nr. 12`, `Betreft: betalingsherinnering factuur 20240817`.
 */
const withLeading = (
  row: Row,
  isSubject: boolean,
  found: ReadonlyArray<KindMatch>
): ReadonlyArray<KindMatch> => {
  const first = found.find(({ phrase }) => phrase.isTitle)
  if (first === undefined || !(isSubject || isCount(row.slice(0, first.from)))) return found
  const about = new Set(
    found.filter(
      ({ from, phrase }) =>
        phrase.isTitle &&
        phrase.kind !== first.phrase.kind &&
        from > first.to + (isSubject ? 0 : 1) &&
        (isSubject || row[from]?.phrase === row[first.to]?.phrase)
    )
  )
  const leads = isSubject || about.size > 0
  return found.map((match) => {
    if (about.has(match)) return { ...match, standing: standing.inside }
    return leads && match.from === first.from ? { ...match, standing: standing.phrase } : match
  })
}

/** The longest phrases of a row; one inside a longer one does not count. */
const inRow = (phrases: KindPhrases, row: Row, page: number, index: number): ReadonlyArray<KindMatch> => {
  const found: Array<KindMatch> = []
  for (let from = 0; from < row.length;) {
    let next = from + 1
    let folded = ""
    let longest: ReadonlyArray<KindPhrase> = []
    for (let to = from; to < Math.min(row.length, from + mostWords); to++) {
      folded += row[to]?.folded ?? ""
      if (!phrases.beginnings.has(folded.slice(0, longestBeginning))) break
      const here = phrases.byText.get(folded)
      // `Rappel – facture n° 12`: a dash belongs to no phrase.
      if (here === undefined || row[to]?.folded === "") continue
      // The number of a title belongs to it (`Invoice No`): the title is kept.
      const titles = hasNumber(phrases, row, to, folded) ? longest.filter(({ isTitle }) => isTitle) : []
      longest = [...titles, ...here]
      next = to + 1
    }
    const place = { page, row: index, from, to: next - 1, standing: standingOf(row, from, next - 1) }
    for (const phrase of longest) found.push({ phrase, ...place })
    from = next
  }
  return withLeading(row, phrases.subjects.has(row[0]?.folded ?? ""), found)
}

/** Phrases of scripts without spaces, wherever they are in a row's letters; each letter belongs to one. */
const unspacedInRow = (phrases: KindPhrases, row: Row, page: number, index: number): Array<KindMatch> => {
  let text = row.map(({ folded }) => folded).join(" ")
  if (!noSpaces.test(text)) return []
  const length = text.replaceAll(" ", "").length
  return phrases.unspaced.flatMap(([folded, all]) => {
    if (!text.includes(folded)) return []
    text = text.replaceAll(folded, "\u0000".repeat(folded.length))
    const from = Math.max(
      0,
      row.findIndex((token) => token.folded.includes(folded))
    )
    const stands = folded.length >= 0.6 * length ? standing.line : standing.inside
    return all.map((phrase) => ({ phrase, page, row: index, from, to: from, standing: stands }))
  })
}

/** Every phrase of a page that indicates a kind of document. */
export const kindMatches = (phrases: KindPhrases, model: PageModel, page: number): ReadonlyArray<KindMatch> =>
  model.rows.flatMap((row, index) => {
    const spaced = inRow(phrases, row, page, index)
    const known = new Set(spaced.map(({ from, phrase }) => `${phrase.text} ${from}`))
    const unspaced = unspacedInRow(phrases, row, page, index)
    return [...spaced, ...unspaced.filter(({ from, phrase }) => !known.has(`${phrase.text} ${from}`))]
  })
