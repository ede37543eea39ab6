import { Schema } from "effect"

/** One value of an electronic invoice, by its business term in EN 16931. */
export const InvoiceTerm = Schema.Struct({
  /** `BT-1` and so on. */
  term: Schema.String,
  /** Dates as YYYY-MM-DD, numbers with a decimal point and nothing else, texts with single spaces. */
  value: Schema.String,
  /** Where it is in the XML: elements by their local names, `[n]` where several have the same name. */
  path: Schema.String,
  /** Qualifies the value: the currency of an amount, the unit of a quantity, the scheme of an identifier. */
  qualifier: Schema.optionalKey(Schema.String)
})
export type InvoiceTerm = typeof InvoiceTerm.Type

/** A line of an invoice. */
export const InvoiceLine = Schema.Struct({ path: Schema.String, terms: Schema.Array(InvoiceTerm) })
export type InvoiceLine = typeof InvoiceLine.Type

/**
 * An electronic invoice in the form that is the same for all syntaxes: CII (Factur-X, ZUGFeRD 2, XRechnung), ZUGFeRD 1
 * and UBL; orders in CII (Order-X) are read alike. A term may occur several times: notes, taxes at several rates.
 */
export const EmbeddedInvoice = Schema.Struct({
  syntax: Schema.Literals(["CII", "ZUGFeRD 1", "Order-X", "UBL"]),
  kind: Schema.Literals(["invoice", "credit-note", "order"]),
  /** The name of the attached file that it was read from; absent if the document itself is the XML. */
  attachment: Schema.optionalKey(Schema.String),
  terms: Schema.Array(InvoiceTerm),
  /** Empty in profiles without lines (MINIMUM, BASIC WL). */
  lines: Schema.Array(InvoiceLine),
  /** The number of lines in the XML that were not read. */
  linesLeftOut: Schema.optionalKey(Schema.Int)
})
export type EmbeddedInvoice = typeof EmbeddedInvoice.Type
