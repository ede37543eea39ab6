import type { Finder } from "./Finder.ts"
import type { Candidate } from "../candidates/Candidate.ts"
import type { Field } from "../Field.ts"
import { around, type PageModel, type Token } from "../page/PageModel.ts"
import { best, type Ranked } from "../candidates/Ranked.ts"
import type { Reading } from "../page/Reading.ts"

const legalForm =
  /(?:^|[\s.,(])(?:gmbh|mbh|ag|kg|ohg|inc|corp|co|llc|ltd|limited|plc|b\.?v|sarl|sas|s\.?r\.?l|s\.?l|s\.?p\.?a|lda|(?:sdn\.?\s*)?bhd|enterprise|trading)\b\.?\)?/iu

/** Words that shops are called by, in the languages of receipts. */
const trade =
  /\b(?:restaurant|restoran|ristorante|café|cafe|bar|bistro|hotel|store|stores|shop|mart|market|supermarkt|supermarket|bakery|bäckerei|boulangerie|pharmacy|pharmacie|apotheke|stationery|hardware|kedai|house|group|holdings|handel)\b/iu

/** Where a shop is, how it is reached, and what the paper is: no name. */
const notAName =
  /@|:\/\/|www\.|\b(?:tel|phone|fax|hp|mail|gst|sst|vat|ust|btw|tva|siret|nif|reg|roc|co\.? ?no|company no|tax invoice|invoice|receipt|cash bill|bill|beleg|rechnung|quittung|ticket|facture|re[cç]u|bon|factura|scontrino|date|tarikh|datum|time|table|cashier|counter|welcome|thank|jalan|jln|lot|no\.|street|road|avenue|straße|strasse|rue|taman|seksyen|page|copy|duplicate)\b/iu

/** `Boulder, CO 80302`: a state, and no company. */
const town = /, [A-Z]{2}(?: \d{5}(?:-\d{4})?)?$/u

const endsInForm = new RegExp(`${legalForm.source}[\\s,.]*$`, "iu")
const anyTrade = new RegExp(`^(?:${trade.source}|${legalForm.source})$`, "iu")

const startsWithNumber = /^[\d(#*+]/u

/** How far down a page a shop still names itself. */
const head = 0.35
const mostRows = 9

const textOf = (tokens: ReadonlyArray<Token>): string => tokens.map(({ text }) => text).join(" ")

const isPart = ({ text }: Token): boolean => /\p{L}/u.test(text) && !/\d{4,}/u.test(text)

/** What opens the company's number behind its name: `Ltd (Co. No: 12345)`, `S.L. CIF B12345678`. */
const number = /^\(?(?:co|reg|roc|company|gst|sst|nif|cif|siret|siren|kvk|vat|ust|p\.?iva)\b|^\(?\d{4,}/iu

/** A company's number behind its name (`(123456-A)`, `002043319-W`) and marks at the edges are no part of it. */
const trimmed = (all: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const end = all.findIndex(
    ({ text }, at) => at > 0 && number.test(text) && endsInForm.test(textOf(all.slice(0, at)))
  )
  const tokens = end < 0 ? all : all.slice(0, end)
  const from = tokens.findIndex(isPart)
  const to = tokens.findLastIndex(isPart)
  return from < 0 ? [] : tokens.slice(from, to + 1)
}

/** A line of nothing but what a shop is (`BISTRO & CAFE`, `RESTAURANT SDN BHD`) goes on with the name above it. */
const continues = (text: string): boolean =>
  text
    .replace(/[^\p{L}\p{N}.\s]/gu, " ")
    .split(/\s+/u)
    .every((word) => word === "" || /^(?:and|und|et|y|e|en|sdn\.?)$/iu.test(word) || anyTrade.test(word))

const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

const scoreOf = (page: PageModel, tokens: ReadonlyArray<Token>, row: number, named: boolean): number => {
  const text = textOf(tokens)
  const size = Math.min(2.5, Math.max(...tokens.map(({ h }) => h)) / page.lineHeight)
  return (
    0.5 -
    0.035 * row +
    0.14 * (size - 1) +
    (legalForm.test(text) && !town.test(text) ? 0.3 : 0) +
    (trade.test(text) ? 0.1 : 0) -
    (notAName.test(text) ? 0.45 : 0) -
    (startsWithNumber.test(text) ? 0.2 : 0) -
    (town.test(text) ? 0.3 : 0) -
    (letters(text) < 4 ? 0.3 : 0) -
    (letters(text) < 0.6 * text.replace(/\s/gu, "").length ? 0.25 : 0) +
    (named ? 0.3 : 0)
  )
}

interface Line {
  readonly row: number
  readonly from: number
  readonly to: number
  readonly tokens: ReadonlyArray<Token>
}

/** The lines at the head of a page that could hold a name. */
const headOf = (page: PageModel): Array<Line> => {
  const top = page.rows[0]?.[0]?.y ?? 0
  return page.rows.slice(0, mostRows).flatMap((all, row): Array<Line> => {
    const tokens = trimmed(all)
    const [first, last] = [tokens[0], tokens.at(-1)]
    if (first === undefined || last === undefined) return []
    if (row > 2 && first.y - top > head * page.height) return []
    return [{ row, from: all.indexOf(first), to: all.indexOf(last), tokens }]
  })
}

const isNamed = (text: string): boolean =>
  letters(text) > 3 && !notAName.test(text) && !startsWithNumber.test(text)

/** A name over two lines: its second says nothing but what it is. */
const joined = (lines: ReadonlyArray<Line>): Array<Line> =>
  lines.flatMap((line, i) => {
    const next = lines[i + 1]
    const text = textOf(line.tokens)
    if (
      next?.row === line.row + 1 &&
      isNamed(text) &&
      !endsInForm.test(text) &&
      continues(textOf(next.tokens))
    )
      return [{ ...line, tokens: [...line.tokens, ...next.tokens] }]
    const before = lines[i - 1]
    const isTaken = before?.row === line.row - 1 && isNamed(textOf(before.tokens)) && continues(text)
    return isTaken && !endsInForm.test(textOf(before.tokens)) ? [] : [line]
  })

/** Ranks the lines at the head of a receipt by how well they could be the name of the shop: the first large one. */
export const merchantsOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const page = reading.pages[0]
  if (page === undefined) return []
  const labelled = new Set(
    reading.labels
      .filter(({ label, span }) => label.names && label.field === field.name && span.page === 0)
      .map(({ span }) => span.row)
  )
  const ranked = joined(headOf(page)).flatMap(({ from, row, to, tokens }): Array<Ranked<string>> => {
    const text = textOf(tokens)
    const value = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.)]+$/gu, "")
    if (letters(value) < 3) return []
    const candidate: Candidate<string> = {
      span: { page: 0, row, from, to },
      bbox: around(tokens),
      text,
      value,
      quality: 0.9
    }
    return [
      { ...candidate, score: Math.max(0, Math.min(0.95, scoreOf(page, tokens, row, labelled.has(row)))) }
    ]
  })
  return best(ranked).filter(({ score }) => score >= 0.2)
}

/** Finds the name of the shop at the head of a receipt. */
export const merchantFinder: Finder = { find: merchantsOf }
