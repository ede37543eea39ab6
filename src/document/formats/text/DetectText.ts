import { csvDelimiter } from "./CsvRows.ts"

/** The types of documents that are text and nothing else. */
const textTypes: ReadonlySet<string> = new Set([
  "text/plain",
  "text/markdown",
  "text/csv",
  "text/html",
  "message/rfc822"
])

const htmlStart = /^<(?:!doctype\s+html|html|head|body)[\s>]/iu
const htmlTag =
  /^<(?:div|p|table|h[1-6]|ul|ol|span|article|section|main|header|form|title|meta|b|i|a|pre)[\s>]/iu
const anyTag = /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/iu

/** A string from its first element on, without the XML declaration and comments before it. */
const fromFirstElement = (text: string): string => {
  let rest = text.slice(0, 100_000).trimStart()
  for (;;) {
    const end = rest.startsWith("<!--") ? "-->" : rest.startsWith("<?xml") ? ">" : undefined
    const at = end === undefined ? -1 : rest.indexOf(end)
    if (end === undefined || at < 0) return rest
    rest = rest.slice(at + end.length).trimStart()
  }
}

const isHtml = (text: string): boolean => {
  const start = fromFirstElement(text)
  return htmlStart.test(start) || (htmlTag.test(start) && text.includes("</"))
}

const invoiceStart =
  /^<(?:[\w-]+:)?(?:CrossIndustry(?:Invoice|Document)|SCRDMCCBDACIOMessageStructure|Invoice|CreditNote)[\s>]/u

/** Whether a string is XML: an electronic invoice, or declared as XML and not HTML. */
export const isXml = (text: string, declared?: string): boolean => {
  const start = fromFirstElement(text)
  if (declared === "application/xml") return start.startsWith("<") && !isHtml(text)
  return declared === undefined && invoiceStart.test(start)
}

const header = /^[A-Za-z][A-Za-z0-9-]*:(?: |\t|$)/u
const mailHeaders = new Set([
  "from",
  "to",
  "subject",
  "date",
  "received",
  "mime-version",
  "message-id",
  "return-path",
  "delivered-to",
  "content-type",
  "reply-to",
  "cc",
  "x-mailer"
])

/** The names of the header fields that a string begins with, in lower case. */
const headersOf = (text: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (const line of text.slice(0, 50_000).split(/\r?\n/u)) {
    if (line === "" || names.length > 200) break
    if (/^[ \t]/u.test(line) || /^From \S+/u.test(line)) continue
    if (!header.test(line)) return []
    names.push((line.split(":")[0] ?? "").toLowerCase())
  }
  return names
}

const isMail = (text: string): boolean => {
  const known = new Set(headersOf(text).filter((name) => mailHeaders.has(name)))
  return known.size >= 3 || (known.size === 2 && (known.has("mime-version") || known.has("received")))
}

const markdownMarks: ReadonlyArray<RegExp> = [
  /^#{1,6} \S/mu,
  /^(?:```|~~~)/mu,
  /\[[^[\]\n]+\]\([^()\s]+\)/u,
  /^\|?\s*:?-{3,}:?\s*\|/mu,
  /^(?:[-*+]|\d+\.) \S/mu,
  /\*\*[^*\n]+\*\*/u
]

const isMarkdown = (text: string): boolean => {
  const head = text.slice(0, 20_000)
  return markdownMarks.filter((mark) => mark.test(head)).length >= 2 && /^#{1,6} |\]\(|^```/mu.test(head)
}

/** Whether a string fits the type it is declared as: a declaration only decides between types that fit. */
const fits = (text: string, declared: string): boolean => {
  switch (declared) {
    case "text/html":
      return anyTag.test(text.slice(0, 200_000))
    case "message/rfc822":
      return headersOf(text).length > 0
    default:
      return true
  }
}

/** The type of a text document: the declared one if it fits, and otherwise detected from its content. */
export const textType = (text: string, declared?: string): string => {
  if (declared !== undefined && textTypes.has(declared) && fits(text, declared)) return declared
  if (isHtml(text)) return "text/html"
  if (isMail(text)) return "message/rfc822"
  if (isMarkdown(text)) return "text/markdown"
  return csvDelimiter(text) === undefined ? "text/plain" : "text/csv"
}
