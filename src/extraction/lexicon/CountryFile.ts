import { Schema, SchemaTransformation } from "effect"

const regExpOf = (text: string): RegExp | undefined => {
  const [, source, flag] = /^\/(.+)\/(i?)$/su.exec(text) ?? []
  try {
    return source === undefined ? undefined : new RegExp(source, `u${flag ?? ""}`)
  } catch {
    return undefined
  }
}

const Pattern = Schema.String.check(
  Schema.makeFilter((text: string) => regExpOf(text) !== undefined, {
    expected: String.raw`a regular expression between slashes, as in /\bHRB\b/ or /\bmomsreg/i`
  })
).pipe(
  Schema.decodeTo(
    Schema.RegExp,
    SchemaTransformation.transform<RegExp, string>({
      decode: (text) => regExpOf(text) ?? /$^/u,
      encode: (pattern) => `/${pattern.source}/${pattern.flags.replace("u", "")}`
    })
  )
)
const Patterns = Schema.optionalKey(Schema.Array(Pattern))

const matching = (expression: RegExp, expected: string) =>
  Schema.String.check(Schema.makeFilter((text: string) => expression.test(text), { expected }))

const Currency = matching(/^[A-Z]{3}$/u, "a code of ISO 4217, such as EUR")

/** The orders of day, month and year in a date of digits. */
export const dateOrders = ["DMY", "MDY", "YMD"] as const

/** A file `countries/<ISO 3166 code>.yaml` of a lexicon folder: what docflow knows of one country. */
export const CountryFile = Schema.Struct({
  name: Schema.String,
  /** Its English name is also that of people, places or goods. */
  nameIsWord: Schema.optionalKey(Schema.String),
  currency: Currency,
  /** Those before it, which older documents have. */
  formerCurrencies: Schema.optionalKey(Schema.Array(Currency)),
  /** Its top-level domain, unless that is its code in small letters; `none` for one that people take for what it spells. */
  domain: Schema.optionalKey(Schema.String),
  /** The length of its IBANs. */
  iban: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 15, maximum: 34 }))),
  vatId: Schema.optionalKey(
    Schema.Struct({
      /** What `stdnum` calls the number. */
      check: Schema.String,
      /** The letters that it begins with, unless they are the country's code. */
      prefix: Schema.optionalKey(Schema.String),
      /** Whether it is usual without them. */
      alone: Schema.optionalKey(Schema.Boolean)
    })
  ),
  /** How it writes dates: `proofs` tell it, `signs` as well where there are none of another order. */
  dates: Schema.optionalKey(
    Schema.Struct({ order: Schema.Literals(dateOrders), proofs: Patterns, signs: Patterns })
  ),
  /** Postcodes, and names of towns. */
  places: Patterns,
  /** Registers, tax numbers, taxes and legal forms that no other country has. */
  registers: Patterns,
  /** Words and characters by which its language is known from similar ones. */
  words: Patterns,
  /** A form that the state prescribes, on which the places of the two parties tell them apart. */
  form: Schema.optionalKey(
    Schema.Struct({
      /** Its title, without spaces. */
      title: Pattern,
      /** The label of the name of each party. */
      label: Pattern,
      /** Which of two names next to each other is the seller's; of two below each other it is the lower one. */
      seller: Schema.Literals(["left", "right"])
    })
  ),
  /** The whole of numbers that are no numbers of a document: a postcode with its state, a firm's number in a register. */
  notDocuments: Patterns,
  /** The words before the second part of a document's number, with the first part as a group. */
  pointOfSale: Schema.optionalKey(Pattern)
})

/** What docflow knows of a country (ISO 3166). */
export type Country = typeof CountryFile.Type & { readonly code: string }
