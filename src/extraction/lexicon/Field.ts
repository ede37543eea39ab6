import type {
  ColumnDefinition,
  FieldDefinition,
  FieldType,
  Position,
  Region
} from "../fields/FieldDefinition.ts"
import { Lexicon, type FieldWords, ofLexicon } from "./Lexicon.ts"
import { lexiconInUse } from "./ReadLexicon.ts"
import type { FinderName, Preset } from "../fields/Preset.ts"
import type { PresetName } from "../fields/PresetNames.ts"
import { presets } from "../fields/Presets.ts"
import { defined } from "../../support/Defined.ts"

const noWords: FieldWords = { labels: [], weak: [], not: [] }

/** `invoice.documentType` is told by the titles of credit notes, and of invoices. */
const titleWords = (lexicon: Lexicon): FieldWords => {
  const titles = (kind: "invoice" | "credit-note") =>
    lexicon.merged(lexicon.languages.map(({ kinds }) => kinds[kind]?.titles ?? []))
  return { labels: titles("credit-note"), weak: titles("invoice"), not: [] }
}

/** The documents before an invoice that it may name with their dates and numbers. */
const earlier = ["quote", "purchase-order", "order-confirmation", "delivery-note", "contract"] as const

/** What introduces the date of another document: `Auftragsbestätigung vom`, `Angebot Nr. 12 vom`. */
const datesOfOthers = ofLexicon(({ languages }): ReadonlyArray<string> =>
  languages.flatMap(({ kinds, words }) => {
    const titles = earlier.flatMap((kind) => kinds[kind]?.titles ?? [])
    // `Order … Date` heads a column of its own.
    const dated = (words.dated ?? []).filter((word) => word !== "date")
    return titles.flatMap((title) => dated.flatMap((word) => [`${title} ${word}`, `${title} * ${word}`]))
  })
)

/** The labels of a preset in all languages, with those it takes over from other presets. */
const fieldWords = (lexicon: Lexicon, name: PresetName | undefined): FieldWords => {
  if (name === undefined) return noWords
  if (name === "invoice.documentType") return titleWords(lexicon)
  const { fallback, rivals = [] } = presets[name]
  const own = lexicon.field(name)
  const other = fallback === undefined ? noWords : lexicon.field(fallback)
  return {
    labels: own.labels,
    weak: [...own.weak, ...other.labels],
    not: [
      ...own.not,
      ...other.not,
      ...rivals.flatMap((rival) => lexicon.field(rival).labels),
      ...(name === "invoice.date" ? datesOfOthers(lexicon) : [])
    ]
  }
}

export interface Column {
  readonly name: string
  readonly type: FieldType
  readonly labels: ReadonlyArray<string>
  /** Its business term of EN 16931 in invoice data. */
  readonly term?: string
  /** Whether the flow says itself what its heading is. */
  readonly isOwn?: boolean
}

/** A field with its preset filled in, as the rules use it. */
export interface Field {
  readonly name: string
  /** The preset, by whose name the lexicon holds its labels. */
  readonly preset?: PresetName
  readonly type: FieldType
  readonly required: boolean
  /** Whether a missing value needs review: it is required, or every document of the kind has one. */
  readonly expected: boolean
  /** The author's description, for a model. */
  readonly description?: string
  /** Whether a value that does not appear in the document is refused. */
  readonly grounded: boolean
  readonly labels: ReadonlyArray<string>
  /** Labels that also mean something else. */
  readonly weak: ReadonlyArray<string>
  readonly not: ReadonlyArray<string>
  readonly positions: ReadonlyArray<Position>
  /** The part of a page with the value. */
  readonly region?: Region
  /** The occurrence of the label to use, from 1. */
  readonly occurrence?: number
  /** Whether the date is expected to be near today; a date far from it is probably misread. */
  readonly recent: boolean
  readonly pick: "best" | "first" | "last" | "largest"
  readonly pattern?: string
  readonly columns: ReadonlyArray<Column>
  /** The business term of EN 16931 of the value in invoice data. */
  readonly term?: string
  /** The finder of the value, if labels are not enough. */
  readonly finder: FinderName
  /** Whether amounts of a credit note are returned without the minus that some print. */
  readonly unsigned: boolean
  /** Whether several values of this field add up to its value (tax at several rates). */
  readonly adds: boolean
  /** A total paid at a point of sale: rounded where a line says so, and surer if it is printed again. */
  readonly pointOfSale: boolean
}

const positionsOf = (position: FieldDefinition["position"]): ReadonlyArray<Position> =>
  position === undefined ? ["right", "below"] : typeof position === "string" ? [position] : position

const columnOf = (
  name: string,
  column: ColumnDefinition,
  known: ColumnDefinition | undefined,
  words: ReadonlyArray<string>
): Column => {
  const own = typeof column === "string" ? { type: column } : column
  const usual = typeof known === "object" ? known : undefined
  const term = own.term ?? usual?.term
  return {
    name,
    type: own.type,
    labels: [...(own.labels ?? []), ...words, name],
    ...defined({ term }),
    ...(own.labels !== undefined || known === undefined ? { isOwn: true } : {})
  }
}

const columnsOf = (
  definition: FieldDefinition,
  preset: Preset | undefined,
  lexicon: Lexicon
): Array<Column> =>
  Object.entries(definition.columns ?? preset?.columns ?? {}).map(([name, column]) =>
    columnOf(
      name,
      column,
      preset?.columns?.[name],
      definition.preset === undefined ? [] : lexicon.field(`${definition.preset}.${name}`).labels
    )
  )

const presetOf = ({ preset }: FieldDefinition): Preset | undefined =>
  preset === undefined ? undefined : presets[preset]

/** The type of a field as written, or its preset's. */
export const typeOf = (definition: FieldDefinition): FieldType =>
  definition.type ?? presetOf(definition)?.type ?? "string"

const noLexicon = new Lexicon({ languages: [], countries: [] })

/** A field as the checker of flows needs it: its type and columns, without the words of the lexicon. */
export const checkedField = (name: string, definition: FieldDefinition): Field =>
  fieldOf(name, definition, noLexicon)

/** Fills in the preset of a field and the labels of the lexicon; the flow's own settings come first. */
export const fieldOf = (
  name: string,
  definition: FieldDefinition,
  lexicon: Lexicon = lexiconInUse()
): Field => {
  const preset = presetOf(definition)
  const words = fieldWords(lexicon, definition.preset)
  const type = typeOf(definition)
  const pattern = definition.pattern ?? preset?.pattern
  const term = definition.term ?? preset?.term
  const labels = [...(definition.labels ?? []), ...words.labels]
  return {
    name,
    ...defined({ preset: definition.preset }),
    type,
    required: definition.required ?? false,
    expected: definition.required ?? preset?.always ?? false,
    ...defined({ description: definition.description }),
    grounded: definition.grounded ?? false,
    // A field without any label may still be next to its own name: "orderNumber" as "order number".
    labels: labels.length > 0 ? labels : [name.replace(/([a-z])([A-Z])/gu, "$1 $2").replace(/[_-]+/gu, " ")],
    weak: words.weak,
    not: [...(definition.not ?? []), ...words.not],
    positions: positionsOf(definition.position ?? preset?.position),
    ...defined({ region: definition.region, occurrence: definition.occurrence }),
    recent: preset?.recent ?? false,
    pick: definition.pick ?? preset?.pick ?? "best",
    ...defined({ pattern, term }),
    columns: columnsOf(definition, preset, lexicon),
    finder: preset?.finder ?? (type === "currency" ? "currency" : "label"),
    adds: preset?.adds ?? false,
    pointOfSale: preset?.pointOfSale ?? false,
    unsigned: preset?.unsigned ?? false
  }
}

/** The number of definitions whose fields are kept. */
const mostKept = 200

const keptOf = ofLexicon(() => new Map<string, Field>())

const definitionOf = new WeakMap<Field, FieldDefinition>()

/** The definitions that `fieldsOf` made fields of; undefined if one of the fields was made otherwise. */
export const definitionsOf = (
  fields: ReadonlyArray<Field>
): Readonly<Record<string, FieldDefinition>> | undefined => {
  const known = fields.flatMap((field) => {
    const definition = definitionOf.get(field)
    return definition === undefined ? [] : [[field.name, definition] as const]
  })
  return known.length === fields.length ? Object.fromEntries(known) : undefined
}

/**
 * The fields of their definitions. The same flow asks for the same fields again and again: they are kept, and with them
 * what is derived from their labels.
 */
export const fieldsOf = (
  definitions: Readonly<Record<string, FieldDefinition>>,
  lexicon: Lexicon
): ReadonlyArray<Field> => {
  const kept = keptOf(lexicon)
  return Object.entries(definitions).map(([name, definition]) => {
    const key = JSON.stringify([name, definition])
    const field = kept.get(key) ?? fieldOf(name, definition, lexicon)
    definitionOf.set(field, definition)
    kept.delete(key)
    kept.set(key, field)
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return field
  })
}
