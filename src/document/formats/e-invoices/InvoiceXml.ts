import type { EmbeddedInvoice, InvoiceTerm } from "../../../domain/EmbeddedInvoice.ts"
import { NotReadable } from "../FormatReader.ts"
import { cii } from "./InvoiceCii.ts"
import type { InvoiceSyntax, TermPath, ValueKind } from "./InvoiceSyntax.ts"
import { ubl } from "./InvoiceUbl.ts"
import { attribute } from "../xml/Xml.ts"
import { select } from "../xml/XmlSelect.ts"
import { readXmlTree, type XmlElement } from "../xml/XmlTree.ts"
import { defined } from "../../../support/Defined.ts"

const plain = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim()

/** A string with single spaces, without control characters and halves of characters, cut where it is longer. */
const cleaned = (text: string, longest: number): string => plain(text).slice(0, longest).toWellFormed()

/** The text of an element, or of the one element that it wraps (`DateTimeString`, `Indicator`). */
const textIn = (element: XmlElement): string => {
  const own = plain(element.text)
  return own === "" ? plain(element.children[0]?.text ?? "") : own
}

/** YYYYMMDD (format 102 of UN/CEFACT, also followed by a time) and YYYY-MM-DD, if there is such a day. */
const dateOf = (text: string): string | undefined => {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?:\D|\d{4,6}$|$)/u.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const iso = `${year}-${month}-${day}`
  return date.toISOString().startsWith(iso) ? iso : undefined
}

/** A decimal number as XML Schema writes it. */
const numberOf = (text: string): string | undefined =>
  /^[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})$/u.test(text) ? text.replace(/^\+/u, "") : undefined

/** The value of an element in the form that all syntaxes share; undefined if it is invalid. */
const valueIn = (element: XmlElement, kind: ValueKind): string | undefined => {
  const text = textIn(element)
  switch (kind) {
    case "date":
      return dateOf(text)
    case "number":
      return numberOf(text)
    default:
      return text
  }
}

/** Larger XML is refused: invoices with embedded files stay below it. */
const mostBytes = 32 * 1024 * 1024
/** The maximum number of lines that an execution stores. */
const mostLines = 2000
const mostTerms = 1000
/** Longer notes and descriptions are truncated. */
const longest = 2000

/** Codes of UNTDID 1001 for credit notes. */
const creditCodes = new Set("81 83 261 262 296 308 381 396 420 458 502 503 532".split(" "))

type Syntax = EmbeddedInvoice["syntax"]

/** The syntax of electronic invoices that begin with this element; undefined for other documents. */
const syntaxOf = ({ name, attributes }: XmlElement): Syntax | undefined => {
  const spaces = Object.entries(attributes).filter(([key]) => key.startsWith("xmlns"))
  const isIn = (space: RegExp) => spaces.some(([, value]) => space.test(value))
  if (name === "CrossIndustryInvoice") return "CII"
  if (name === "CrossIndustryDocument") return "ZUGFeRD 1"
  if (name === "SCRDMCCBDACIOMessageStructure") return "Order-X"
  if (name !== "Invoice" && name !== "CreditNote") return undefined
  if (isIn(/ubl:schema:xsd/iu)) return "UBL"
  // Drafts of ZUGFeRD 1 have this root element.
  return isIn(/uncefact|urn:ferd/iu) ? "ZUGFeRD 1" : undefined
}

const termsIn = (from: XmlElement, paths: ReadonlyArray<TermPath>): ReadonlyArray<InvoiceTerm> =>
  paths.flatMap(({ term, kind, path }) =>
    select(from, path).flatMap((element): Array<InvoiceTerm> => {
      const value =
        path.attribute === undefined
          ? valueIn(element, kind)
          : cleaned(attribute(element.attributes, path.attribute) ?? "", longest)
      if (value === undefined || value === "") return []
      const beside = ["currencyID", "unitCode", "schemeID"]
      const qualifier =
        path.attribute === undefined
          ? beside.map((name) => cleaned(attribute(element.attributes, name) ?? "", 40)).find(Boolean)
          : undefined
      return [
        {
          term,
          value: cleaned(value, longest),
          path: path.attribute === undefined ? element.path : `${element.path}/@${path.attribute}`,
          ...defined({ qualifier })
        }
      ]
    })
  )

/** The tax in the currency of the books (BT-111) is next to the tax (BT-110), told apart by the currency alone. */
const withBookTax = (terms: ReadonlyArray<InvoiceTerm>): ReadonlyArray<InvoiceTerm> => {
  const currency = terms.find(({ term, value }) => term === "BT-5" && /^[A-Z]{3}$/u.test(value))?.value
  return terms.map((found) =>
    found.term === "BT-110" && currency !== undefined && (found.qualifier ?? currency) !== currency
      ? { ...found, term: "BT-111" }
      : found
  )
}

const kindOf = (root: XmlElement, syntax: Syntax, terms: ReadonlyArray<InvoiceTerm>) => {
  if (syntax === "Order-X") return "order"
  const code = terms.find(({ term }) => term === "BT-3")?.value ?? ""
  return root.name === "CreditNote" || creditCodes.has(code) ? "credit-note" : "invoice"
}

/** Whether a line counts, which headings and informative lines do not. */
const counts = (line: XmlElement, { isIgnored }: InvoiceSyntax): boolean =>
  !select(line, isIgnored).some(({ text }) => ["GROUP", "INFORMATION"].includes(text.trim()))

/**
 * Reads an electronic invoice. NotReadable if the XML is not an invoice (the message names its first element), too
 * large, damaged or hostile.
 */
export const readInvoice = (bytes: Uint8Array): EmbeddedInvoice => {
  if (bytes.length > mostBytes) {
    throw new NotReadable(`The XML has ${bytes.length} bytes; the limit is ${mostBytes}.`)
  }
  let syntax: Syntax | undefined
  const root = readXmlTree(bytes, (element) => {
    syntax = syntaxOf(element)
    if (syntax !== undefined) return true
    const name = cleaned(element.name.replace(/\p{Cf}/gu, ""), 80)
    throw new NotReadable(
      `The XML is not an electronic invoice: its root element is <${name}>. Supported: CII (Factur-X, ZUGFeRD, XRechnung) and UBL (Invoice, CreditNote).`
    )
  })
  const known = syntax ?? "CII"
  const paths = known === "UBL" ? ubl : cii
  const terms = withBookTax(termsIn(root, paths.header))
  const lines = select(root, paths.lines).filter((line) => counts(line, paths))
  const left = lines.length - mostLines
  return {
    syntax: known,
    kind: kindOf(root, known, terms),
    terms: terms.slice(0, mostTerms),
    lines: lines
      .slice(0, mostLines)
      .map((line) => ({ path: line.path, terms: termsIn(line, paths.line).slice(0, 100) })),
    ...(left > 0 ? { linesLeftOut: left } : {})
  }
}
