import { kindsWithWords, type KindWithWords } from "../lexicon/DocumentKinds.ts"
import { type Language, type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import { KeySieve, keyOf } from "../layout/KeySieve.ts"

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
  /** Folded labels of fields: a title at the beginning of a label (`Invoice` of `Invoice Date`) heads nothing. */
  readonly labels: ReadonlySet<string>
  /** Folded words between a title and a date or number: `dated`, `vom`. */
  readonly dated: ReadonlySet<string>
  /** Folded words before the subject of a letter: `betreff`, `oggetto`. */
  readonly subjects: ReadonlySet<string>
  /** The beginnings of phrases and labels, up to eight letters. */
  readonly beginnings: KeySieve
}

/** How many letters of a phrase are kept as its beginnings: few others begin with the same ones. */
export const longestBeginning = 8

const beginningKey = (folded: string, end: number): number => keyOf(folded, 0, Math.min(end, folded.length))

function* beginningKeys(phrases: ReadonlyArray<string>): Generator<number> {
  for (const phrase of phrases)
    for (let end = 0; end <= longestBeginning; end++) yield beginningKey(phrase, end)
}

/** Whether a phrase or label may begin with a folded text. */
export const mayBeginPhrase = ({ beginnings }: KindPhrases, folded: string): boolean =>
  beginnings.passes(beginningKey(folded, longestBeginning))

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
export const noSpaces = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u

const labelsOf = (
  { fields, tag }: Language,
  { foldLabel }: Lexicon
): ReadonlyArray<readonly [string, KindPhrase]> =>
  tellingFields.flatMap(([field, kind, weight]) =>
    (fields[field]?.labels ?? [])
      .filter((label) => !label.includes("*"))
      .map((label) => [foldLabel(label), { kind, text: field, tag, isTitle: false, weight }] as const)
  )

const phrasesOf = (
  { kinds, tag }: Language,
  { foldLabel }: Lexicon
): ReadonlyArray<readonly [string, KindPhrase]> => {
  const all = kindsWithWords.flatMap((kind) => {
    const { titles = [], words = [] } = kinds[kind] ?? {}
    const made = (isTitle: boolean) => (text: string) => ({ kind, text, isTitle, folded: foldLabel(text) })
    return titles.map(made(true)).concat(words.map(made(false)))
  })
  const sharing = Map.groupBy(all, ({ folded }) => folded)
  return all.flatMap(({ folded, ...phrase }) => {
    const shared = new Set((sharing.get(folded) ?? []).map(({ kind }) => kind)).size
    // A short word often means something else.
    const long = folded.length < 4 && !noSpaces.test(folded) ? 0.5 : 1
    return folded === "" ? [] : [[folded, { ...phrase, tag, weight: long / shared }] as const]
  })
}

/** The phrases of a lexicon, prepared once. */
export const kindPhrases = ofLexicon((lexicon): KindPhrases => {
  const all = lexicon.languages.flatMap((language) => [
    ...phrasesOf(language, lexicon),
    ...labelsOf(language, lexicon)
  ])
  const byText = new Map(
    [...Map.groupBy(all, ([folded]) => folded)].map(([folded, phrases]) => [
      folded,
      phrases.map(([, phrase]) => phrase)
    ])
  )
  // `Rechnung Nr` is the label of a number and a title in one.
  const labels = lexicon.languages.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, own]) =>
      [...(name === "invoice.number" ? [] : own.labels), ...own.not].map(lexicon.foldLabel)
    )
  )
  return {
    byText,
    unspaced: [...byText]
      .filter(([folded]) => noSpaces.test(folded))
      .toSorted(([left], [right]) => right.length - left.length),
    labels: new Set(labels),
    dated: new Set(lexicon.words("dated").map(lexicon.foldLabel)),
    subjects: new Set(lexicon.words("subjects").map(lexicon.foldLabel)),
    beginnings: new KeySieve(beginningKeys([...byText.keys(), ...labels]))
  }
})
