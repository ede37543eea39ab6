import { Schema, SchemaTransformation } from "effect"
import { presetNames } from "../fields/PresetNames.ts"
import { kindsWithWords } from "./DocumentKinds.ts"

/** `Invoice No; Inv. No` as a list; a YAML list of strings is accepted too. */
const Listed = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String),
    SchemaTransformation.transform<ReadonlyArray<string>, string>({
      decode: (text) =>
        text
          .split(";")
          .map((word) => word.trim())
          .filter((word) => word !== ""),
      encode: (words) => words.join("; ")
    })
  )
)
const Words = Schema.Union([Schema.Array(Schema.String), Listed])

/** Words between spaces: `the and of`. */
const Spaced = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String),
    SchemaTransformation.transform<ReadonlyArray<string>, string>({
      decode: (text) => text.split(/\s+/u).filter((word) => word !== ""),
      encode: (words) => words.join(" ")
    })
  )
)

/** The lists of words of a language, each with what it is for. */
export const wordLists = {
  legalForms: "Legal forms that end the names of companies and are no other word: GmbH, Ltd.",
  legalFormsAtEnd: "Legal forms that are words as well; they count only at the end of a name: AB, SE",
  legalFormsInFront: "Legal forms that are printed in front of names as well: SARL Dupont",
  shops: "Words in the names of shops: bakery, restaurant",
  trades: "Words for what a shop sells or does, which name it only with other words: butchery, garden",
  honorifics: "What comes before the name of the person or company a letter is addressed to: Mr., Attn.",
  headings: "Words that head a page and are not the name of a company: page, copy, original",
  contacts: "Words in lines that say how a company is reached: phone, fax",
  registrations: "Words before the numbers under which a company is registered: VAT, Co. Reg.",
  notNames: "Words at the top of a receipt that are not part of the shop's name: cashier, table",
  nameLabels: "Words before the name of a company in its block: Name, Company",
  owners: "Words before the name of a shop's owner: proprietor, owner",
  and: "Words for and, between the words of a name",
  streets: "Words in addresses: street, road",
  yes: "Words for yes",
  no: "Words for no",
  rounding: "Words in the line that rounds the total of a receipt",
  cash: "Words for the amount handed over in cash",
  change: "Words for the change",
  card: "Words for a payment by card",
  tip: "Words for a tip",
  discount: "Words for a discount",
  taxes: "Names of taxes on sales: VAT, GST",
  dated: "Words between the title of a document and its date or number: dated, vom",
  pay: "Words for paying, in a sentence that names the day to pay by: settle, transfer",
  by: "Words right before the last day to pay, in a sentence: by, no later than",
  withoutDiscount: "Words right behind a day until which there is no cash discount: without deduction",
  carried: "What says that a page continues another one, or a sum carried forward",
  page: "Words for page, before its number",
  pageOf: "Words between the number of a page and the number of pages: Page 1 of 3",
  blankPage: "What a page without content says of itself: this page intentionally left blank",
  number: "Words and signs for number: No., Nr., #",
  numberEndings: "Words for number that also end other words: nummer in Rechnungsnummer",
  compoundTitles:
    "Titles of documents that also end longer words of the same meaning: rechnung in Dachdeckerrechnung",
  otherCompounds: "Words that end like such a title and are not compared as one: Abrechnung",
  references: "Other words before the number of a document: ID, Ref.",
  subjects: "Words before the subject of a letter: Re, Subject",
  salutations: "How letters begin",
  closings: "How letters end",
  months: "Names and abbreviations of months that Intl lacks: January=Jänner",
  countryNames: "Names of countries that Intl lacks: GB=England",
  currencySigns:
    "Signs and abbreviations of currencies that Intl lacks: CHF=SFr.; several that share one, the most common first: GBP EGP=£",
  currencyLetters: "Single letters in front of amounts with cents that stand for currencies: ZAR=R",
  currencyNames: "Names of currencies in running text that Intl lacks: USD=dollars"
} as const

export type WordList = keyof typeof wordLists

const names = Object.keys(wordLists)

/** Whether a name is that of a list of words. */
export const isWordList = (name: string): name is WordList => names.includes(name)

/** The columns of the table preset `invoice.lineItems`. */
const columns = ["description", "quantity", "unitPrice", "amount"].map((name) => `invoice.lineItems.${name}`)
const fieldNames: ReadonlySet<string> = new Set([...presetNames, ...columns])

const FieldName = Schema.String.check(
  Schema.makeFilter((name: string) => fieldNames.has(name), {
    expected: "a preset such as invoice.number, or a column such as invoice.lineItems.quantity"
  })
)
const ListName = Schema.String.check(
  Schema.makeFilter((name: string) => isWordList(name), { expected: `one of ${names.join(", ")}` })
)

const month = /^(?:January|February|March|April|May|June|July|August|September|October|November|December)=./u
const currency = /^[A-Z]{3}(?: [A-Z]{3})*=./u

/** The lists whose entries say what a name means, as `January=Jänner`. */
const named = {
  months: month,
  countryNames: /^[A-Z]{2}=./u,
  currencySigns: currency,
  currencyLetters: currency,
  currencyNames: currency
}

const saysWhat = (words: Readonly<Partial<Record<string, ReadonlyArray<string>>>>): string | undefined => {
  const wrong = Object.entries(named)
    .flatMap(([list, form]) => (words[list] ?? []).filter((entry) => !form.test(entry)))
    .at(0)
  return wrong === undefined
    ? undefined
    : `"${wrong}" must begin with what it means: an English month (January=Jänner), a country (GB=England) or a currency (CHF=SFr)`
}

/** The labels of a field in one language. */
const FieldWords = Schema.Struct({
  labels: Schema.optionalKey(Words),
  weak: Schema.optionalKey(Words),
  not: Schema.optionalKey(Words)
})

const KindWords = Schema.Struct({ titles: Schema.optionalKey(Words), words: Schema.optionalKey(Words) })

/** A file `<BCP 47 tag>.yaml` of a lexicon folder: what docflow knows of one language. */
export const LexiconFile = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  countries: Schema.optionalKey(Spaced),
  common: Schema.optionalKey(Spaced),
  words: Schema.optionalKey(Schema.Record(ListName, Words).check(Schema.makeFilter(saysWhat))),
  kinds: Schema.optionalKey(Schema.Record(Schema.Literals(kindsWithWords), Schema.optionalKey(KindWords))),
  fields: Schema.optionalKey(Schema.Record(FieldName, FieldWords))
})
export type LexiconFile = typeof LexiconFile.Type
