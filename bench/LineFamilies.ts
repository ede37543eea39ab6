import type { ColumnName, words } from "./LineWords.ts"

/** How the items of an invoice are set, and in which words. */
export interface LineFamily {
  readonly name: string
  readonly language: keyof typeof words
  readonly columns: ReadonlyArray<ColumnName>
  readonly border: "none" | "grid" | "rows" | "columns" | "zebra"
  readonly valign: "top" | "middle" | "bottom"
  readonly align: "right" | "left" | "center"
  /** How many lines a description has. */
  readonly parts: "one" | "mixed" | "many"
  readonly size: number
  readonly font: string
  readonly padding: string
  readonly decimal: "." | ","
  readonly group: string
  readonly sign: "before" | "after" | "none"
  readonly currency: string
  readonly unit: string
  readonly unitInQuantity?: boolean
  readonly fractions?: boolean
  readonly codes?: "digits"
  readonly codeHeading: string
  readonly upper?: boolean
  readonly bold: boolean
  readonly small?: boolean
  readonly twoLines?: boolean
  readonly groups?: boolean
  readonly notes?: boolean
  readonly repeated?: boolean
  readonly headings?: boolean
  /** How many lines, where it matters. */
  readonly count?: number
}

const usual = {
  language: "en",
  border: "none",
  valign: "top",
  align: "right",
  parts: "one",
  size: 9,
  font: "Liberation Sans, Arial, sans-serif",
  padding: "2pt 5pt",
  decimal: ".",
  group: ",",
  sign: "none",
  currency: "$",
  unit: "pcs",
  codeHeading: "SKU",
  bold: true
} satisfies Partial<LineFamily>

const continental = { decimal: ",", group: ".", currency: "€", unit: "Stk" } satisfies Partial<LineFamily>

const short: ReadonlyArray<ColumnName> = ["description", "quantity", "unitPrice", "amount"]
const withCode: ReadonlyArray<ColumnName> = ["code", ...short]
const withPos: ReadonlyArray<ColumnName> = ["pos", ...short]

const family = (name: string, own: Partial<LineFamily>): LineFamily => ({
  ...usual,
  columns: short,
  ...own,
  name
})

/** The families of layouts; a third of them, by the hash of their names, is only for judging. */
export const lineFamilies: ReadonlyArray<LineFamily> = [
  family("plain", {}),
  family("ruled-rows", { border: "rows", padding: "5pt 4pt", sign: "before" }),
  family("grid-middle", { border: "grid", valign: "middle", parts: "mixed", columns: withPos }),
  family("bottom", { valign: "bottom", parts: "many", padding: "5pt 5pt" }),
  family("middle-tight", { valign: "middle", parts: "mixed", padding: "1pt 5pt" }),
  family("below-tight", { parts: "mixed", padding: "0 5pt", small: true }),
  family("sku-narrow", { columns: withCode, padding: "1pt 2pt", size: 8, upper: true }),
  family("code-first", { columns: ["pos", "code", ...short], codeHeading: "Code", align: "center" }),
  family("ean", {
    columns: ["code", "description", "quantity", "unit", "unitPrice", "amount"],
    codeHeading: "EAN",
    codes: "digits",
    border: "rows"
  }),
  family("ref-middle", {
    columns: ["description", "code", "quantity", "unitPrice", "amount"],
    codeHeading: "Ref",
    parts: "mixed"
  }),
  family("item-code", {
    columns: ["code", "description", "quantity", "unitPrice", "amount"],
    codeHeading: "Item",
    padding: "2pt 3pt",
    parts: "mixed"
  }),
  family("quantity-first", {
    columns: ["quantity", "unit", "code", "description", "unitPrice", "amount"],
    codeHeading: "Ref."
  }),
  family("de-plain", { ...continental, language: "de", columns: withPos, sign: "after", parts: "mixed" }),
  family("de-grid", {
    ...continental,
    language: "de",
    border: "grid",
    columns: ["pos", "code", "description", "quantity", "unit", "unitPrice", "tax", "amount"],
    codeHeading: "Art.-Nr.",
    size: 8
  }),
  family("de-groups", {
    ...continental,
    language: "de",
    groups: true,
    columns: withPos,
    parts: "mixed",
    padding: "3pt 4pt"
  }),
  family("de-bottom", {
    ...continental,
    language: "de",
    valign: "bottom",
    parts: "mixed",
    border: "rows",
    padding: "4pt",
    columns: withPos
  }),
  family("fr-spaces", {
    ...continental,
    group: " ",
    language: "fr",
    border: "columns",
    columns: withCode,
    codeHeading: "Réf."
  }),
  family("fr-notes", { ...continental, group: " ", language: "fr", notes: true, sign: "after" }),
  family("es-left", { ...continental, language: "es", align: "left", border: "zebra", padding: "4pt 6pt" }),
  family("nl-middle", {
    ...continental,
    language: "nl",
    valign: "middle",
    parts: "many",
    padding: "6pt 5pt",
    columns: ["quantity", "description", "unitPrice", "tax", "amount"]
  }),
  family("two-lines", {
    twoLines: true,
    columns: ["pos", "code", "description", "quantity", "unit", "unitPrice", "tax", "amount"],
    border: "rows"
  }),
  family("units-within", { unitInQuantity: true, fractions: true, unit: "hrs", sign: "before" }),
  family("serif-center", {
    align: "center",
    font: "Liberation Serif, serif",
    border: "columns",
    parts: "mixed",
    size: 10
  }),
  family("no-headings", { headings: false, parts: "mixed" }),
  family("long-plain", { count: 340, size: 6, padding: "0.6pt 5pt", repeated: true, columns: withPos }),
  family("long-once", { count: 120, parts: "mixed", columns: withCode }),
  family("long-grid", {
    ...continental,
    language: "de",
    count: 90,
    border: "grid",
    parts: "mixed",
    repeated: true,
    columns: withPos,
    valign: "middle"
  }),
  family("notes-groups", { notes: true, groups: true, parts: "many", padding: "3pt 5pt", columns: withCode }),
  family("tiny-gaps", {
    padding: "1pt 1.5pt",
    size: 8,
    columns: ["pos", "code", "description", "quantity", "unit", "unitPrice", "amount"],
    codeHeading: "Code",
    border: "grid",
    parts: "mixed"
  }),
  family("price-before", {
    columns: ["code", "description", "unitPrice", "quantity", "amount"],
    codeHeading: "SKU",
    sign: "before",
    parts: "mixed",
    border: "zebra",
    padding: "4pt 6pt"
  }),
  family("mono", {
    font: "Liberation Mono, monospace",
    size: 8,
    padding: "0 4pt",
    columns: withPos,
    parts: "mixed"
  })
]
