import type { Lexicon } from "../../extraction/lexicon/Lexicon.ts"
import { parseIdentifier } from "../../extraction/values/CheckedNumbers.ts"
import { parseDate } from "../../extraction/values/Dates.ts"
import { parseMoney } from "../../extraction/values/Money.ts"
import { parsePercent } from "../../extraction/values/Numbers.ts"
import type { PrintedPair } from "./PrintedPairs.ts"

/** A column of a proposed table. */
export interface ProposedColumn {
  readonly name: string
  readonly type: string
  readonly label: string
}

/** A field that a proposed flow extracts. */
export interface ProposedField {
  readonly name: string
  /** A preset of `extract`, or absent for a field that is found by its label. */
  readonly preset?: string
  readonly type?: string
  /** As the examples print them. */
  readonly labels?: ReadonlyArray<string>
  /** The columns of a table. */
  readonly columns?: ReadonlyArray<ProposedColumn>
  /** The number of examples in which it was found. */
  readonly foundIn: number
  /** Its value in the first document that has it, as printed. */
  readonly example: string
}

const withUnit = /^-?\d[\d.,' ]* ?(?:kg|g|t|lbs?|oz|m|cm|mm|km|m²|m³|l|h|pcs?|st|stk|szt|ks|kpl)\.?$/iu

const typeOfValue = (printed: string): string => {
  const value = printed.trim()
  if (parseIdentifier("email", value) !== undefined) return "email"
  if (parseIdentifier("iban", value)?.valid === true) return "iban"
  if (parseDate(value)?.length === value.length) return "date"
  if (value.endsWith("%") && parsePercent(value) !== undefined) return "percent"
  if (withUnit.test(value)) return "number"
  const money = parseMoney(value)
  if (money !== undefined && (money.currency !== undefined || money.decimals === 2)) return "money"
  if (/^\d{1,3}$/u.test(value)) return "integer"
  return /^(?=\S*\d)[\p{L}\p{N}][\p{L}\p{N}./_-]{2,29}$/u.test(value) ? "identifier" : "string"
}

/** Counts have as many digits as there is to count; numbers of documents mostly have the same length. */
const areCounts = (values: ReadonlyArray<string>): boolean =>
  values.every((value) => /^(?:0|[1-9]\d{0,5})$/u.test(value.trim())) &&
  new Set(values.map((value) => value.trim().length)).size > 1

const numeric = new Set(["integer", "number", "money"])

/** The type that all values have, `number` for counts, or `identifier` or `string` where they differ. */
export const typeOfValues = (values: ReadonlyArray<string>): string => {
  if (areCounts(values)) return "number"
  const types = new Set(values.map(typeOfValue))
  const [only = "string"] = types
  if (types.size === 1) return only
  if ([...types].every((type) => type === "integer" || type === "money")) return "money"
  if ([...types].every((type) => numeric.has(type))) return "number"
  return [...types].every((type) => type === "integer" || type === "identifier") ? "identifier" : "string"
}

/** A name for a field: `Date of birth` is `dateOfBirth`. Letters without a Latin form make the name `field<n>`. */
export const nameOfLabel = (label: string, taken: ReadonlySet<string>): string => {
  const words = label
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/ß/gu, "ss")
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== "")
  const joined = words
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("")
  const base = /^[a-z]/u.test(joined) ? joined : "field"
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base}${number}`
  return name
}

/** A label without what may differ between documents: its case and spaces. */
export const foldedLabel = (label: string): string => label.toLowerCase().replace(/\s+/gu, " ").trim()

interface Labelled {
  readonly labels: ReadonlyArray<string>
  /** The value in each document that has a label, by the document's index. */
  readonly values: Map<number, string>
  certain: boolean
}

/** Whether a string is a label: printed as one, or followed by other values in other documents. */
const isProven = ({ certain, values }: Labelled): boolean => certain || new Set(values.values()).size > 1

/** The fields that documents of many kinds have, and by whose labels those of several issuers are one. */
const commonFields = ["invoice.date", "invoice.purchaseOrder", "invoice.customerName", "invoice.dueDate"]

/** What a label means, as far as the lexicon says: a field, or the number of a document of some kind. */
const meaningsOf = (label: string, lexicon: Lexicon): ReadonlyArray<string> => {
  const folded = lexicon.foldLabel(label)
  const isOneOf = (labels: ReadonlyArray<string>) => labels.some((one) => lexicon.foldLabel(one) === folded)
  const kinds = lexicon.languages.flatMap((language) =>
    Object.entries(language.kinds).filter(([, kind]) =>
      kind.titles.some((title) => isOneOf([title, `${title} no`]))
    )
  )
  return [
    ...commonFields.filter((name) => {
      const { labels, weak } = lexicon.field(name)
      return isOneOf(labels) || isOneOf(weak)
    }),
    ...kinds.map(([kind]) => kind)
  ]
}

const fewestLetters = 4

const wordsOf = (label: string): ReadonlyArray<string> =>
  foldedLabel(label)
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length >= fewestLetters)

const isIdentifier = (type: string | undefined): boolean => type === "identifier" || type === "integer"

/** Whether values may be of one field: nobody writes a date where others write a weight. */
const isSameType = (some: Labelled, other: Labelled): boolean => {
  const [one, two] = [some, other].map(({ values }) => typeOfValues([...values.values()]))
  return (
    one === two ||
    (isIdentifier(one) && isIdentifier(two)) ||
    (numeric.has(one ?? "") && numeric.has(two ?? ""))
  )
}

/** Joins the labels that issuers print for the same field: no document has two of them, and they mean the same or share a word. */
const joinedLabels = (
  entries: Iterable<Labelled>,
  isAlike: (label: string, other: string) => boolean
): ReadonlyArray<Labelled> => {
  const joined: Array<Labelled> = []
  for (const entry of entries) {
    const at = joined.findIndex(
      (one) =>
        [...entry.values.keys()].every((index) => !one.values.has(index)) &&
        isSameType(one, entry) &&
        one.labels.some((label) => entry.labels.some((own) => isAlike(label, own)))
    )
    const one = joined[at]
    if (one === undefined) joined.push(entry)
    else
      joined[at] = {
        labels: [...one.labels, ...entry.labels],
        values: new Map([...one.values, ...entry.values]),
        certain: one.certain || entry.certain
      }
  }
  return joined
}

/**
 * The fields that the labels of example documents suggest, each in at least half of the documents, in the order of
 * their first appearance. `known` are the values of other fields and the names that are taken.
 */
export const fieldsOfPairs = (
  documents: ReadonlyArray<ReadonlyArray<PrintedPair>>,
  known: { readonly values: ReadonlySet<string>; readonly names: Iterable<string> },
  most: number,
  lexicon: Lexicon
): ReadonlyArray<ProposedField> => {
  const byLabel = new Map<string, Labelled>()
  for (const [index, pairs] of documents.entries()) {
    for (const { certain, label, value } of pairs) {
      const entry: Labelled = byLabel.get(foldedLabel(label)) ?? {
        labels: [label],
        values: new Map(),
        certain: false
      }
      if (!entry.values.has(index)) entry.values.set(index, value)
      entry.certain ||= certain
      byLabel.set(foldedLabel(label), entry)
    }
  }
  const names = new Set(known.names)
  const fields: Array<ProposedField> = []
  const byMeaning = joinedLabels(byLabel.values(), (label, other) => {
    const meanings = meaningsOf(other, lexicon)
    return meaningsOf(label, lexicon).some((meaning) => meanings.includes(meaning))
  })
  const byWord = joinedLabels(byMeaning, (label, other) => {
    const words = wordsOf(other)
    return wordsOf(label).some((word) => words.includes(word))
  })
  for (const entry of byWord) {
    const { labels, values } = entry
    const texts = [...values.values()]
    if (!isProven(entry) || values.size < documents.length / 2 || fields.length >= most) continue
    if (texts.every((text) => known.values.has(text.trim()))) continue
    const name = nameOfLabel(labels[0] ?? "", names)
    names.add(name)
    fields.push({ name, type: typeOfValues(texts), labels, foundIn: values.size, example: texts[0] ?? "" })
  }
  return fields
}
