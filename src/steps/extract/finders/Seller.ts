import { wrappedNames } from "./WrappedNames.ts"
import type { Finder } from "./Finder.ts"
import type { Candidate } from "../candidates/Candidate.ts"
import type { Field } from "../Field.ts"
import { fold } from "../page/Fold.ts"
import type { LabelMatch } from "../page/LabelMatches.ts"
import type { PageModel } from "../page/PageModel.ts"
import { best, type Ranked } from "../candidates/Ranked.ts"
import { type NameWords, nameWords } from "../lexicon/NameWords.ts"
import type { Reading } from "../page/Reading.ts"
import { relation } from "../page/SpatialRelation.ts"
import { segmentsOf, standsAlone } from "../page/Segments.ts"

const freeMail =
  /^(?:gmail|hotmail|outlook|yahoo|gmx|web|icloud|aol|live|googlemail|example|localhost|fake)$/u

/** The names in the document's web and mail addresses: `aubonmoulin` of www.aubonmoulin.fr. */
const domainsOf = (text: string): Set<string> =>
  new Set(
    [
      ...text
        .toLowerCase()
        .matchAll(/(?:@|www\.|https?:\/\/)(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)\.[a-z]{2,}/gu)
    ]
      .map((match) => (match[1] ?? "").split(".").at(-1)?.replaceAll("-", "") ?? "")
      .filter((name) => name.length >= 4 && !freeMail.test(name))
  )

/** Cuts `Firm - Street 1 - Town`, or `Firm Ltd, Street 1`, down to the firm. */
const firstPart = (words: NameWords, text: string): string => {
  const part = (text.split(/\s[-–—|•·●]\s|\s{2,}|, \d/u)[0] ?? text).trim()
  const [name = part, ...address] = part.split(", ")
  return address.some((line) => /\d/u.test(line)) && words.endsInForm(name) ? name : part
}

const isPossible = (words: NameWords, value: string): boolean =>
  (value.match(/\p{L}/gu)?.length ?? 0) >= 3 &&
  value.length <= 70 &&
  value.split(/\s+/u).length <= 8 &&
  !words.isTitle(value) &&
  !words.isContact(value) &&
  !/^\d/u.test(value)

/** What the words alone say. */
const wording = (words: NameWords, value: string, domains: ReadonlySet<string>, text: string): number => {
  const folded = fold(value)
  const named = [...domains].some(
    (domain) => folded.includes(domain) || (folded.length >= 0.7 * domain.length && domain.includes(folded))
  )
  return (
    (words.endsInForm(value) ? 0.35 : words.holdsForm(value) ? 0.28 : 0) +
    (named ? 0.25 : 0) +
    (text.split(folded).length > 2 ? 0.12 : 0) +
    (/\d/u.test(value) ? -0.15 : 0) +
    (/[:?!]/u.test(value) ? -0.3 : 0) +
    (/^\p{Ll}/u.test(value) ? -0.12 : 0) +
    (value.split(/\s+/u).length > 5 ? -0.15 : 0)
  )
}

/** What the place on the page says: sellers are at the top, in large letters. */
const placing = (reading: Reading, { span, bbox }: Candidate): number => {
  const page = reading.pages[span.page]
  if (page === undefined || span.page > 0) return -0.1
  const high = bbox.y / page.height
  const size = bbox.h / page.lineHeight
  return (
    (high < 0.12 ? 0.25 : high < 0.25 ? 0.15 : high < 0.4 ? 0.05 : 0) +
    (size >= 1.8 ? 0.2 : size >= 1.3 ? 0.12 : 0) +
    (span.row === 0 ? 0.08 : 0)
  )
}

/** Two parties are side by side: what is a quarter of the page away belongs to another label. */
const isFar = (model: PageModel, { bbox, span }: LabelMatch, candidate: Candidate): boolean =>
  candidate.span.row === span.row && candidate.bbox.x - (bbox.x + bbox.w) > 0.25 * model.width

/** The headings of a table are many in a row; a name has at most one neighbour on either side. */
const isAmongHeadings = (reading: Reading, { span }: Candidate): boolean =>
  (reading.pages[span.page]?.rows[span.row]?.at(-1)?.phrase ?? 0) >= 4

const beside = (reading: Reading, labels: ReadonlyArray<LabelMatch>, candidate: Candidate): number => {
  let most = 0
  for (const match of labels) {
    const model = reading.pages[match.span.page]
    if (model === undefined) continue
    const near = isFar(model, match, candidate) ? 0.4 : 1
    most = Math.max(
      most,
      match.quality * near * relation(model, match, candidate, ["right", "below"], () => 1)
    )
  }
  return most
}

/** Whether the line right above is a form of address. */
const isAddressed = (reading: Reading, { span, bbox }: Candidate): boolean => {
  const above = reading.pages[span.page]?.rows[span.row - 1] ?? []
  const over = above.filter((token) => token.x >= bbox.x - 2 && token.x < bbox.x + bbox.w)
  return nameWords(reading.lexicon).isHonorific(over.map((token) => token.text).join(" "))
}

/** The line in small print above an address window: `Firm · Street 1 · 12345 Town`; the firm comes first. */
const beginsSenderLine = (reading: Reading, { span, bbox }: Candidate): boolean => {
  const page = reading.pages[span.page]
  const row = page?.rows[span.row] ?? []
  const separators = row.filter((token) => /^[•·|●▪–—-]$/u.test(token.text)).length
  return (
    span.from === 0 &&
    separators >= 2 &&
    bbox.h < (page?.lineHeight ?? 0) &&
    row.some((token) => /^\d{4,5}$/u.test(token.text))
  )
}

/** The label in whose block a candidate is: the nearest one above it, within a few lines. */
const blockOf = (labels: ReadonlyArray<LabelMatch>, { span, bbox }: Candidate): LabelMatch | undefined =>
  labels
    .filter(
      (match) =>
        match.span.page === span.page &&
        span.row > match.span.row &&
        span.row - match.span.row <= 7 &&
        bbox.x < match.bbox.x + Math.max(match.bbox.w, 120) &&
        bbox.x + bbox.w > match.bbox.x
    )
    .toSorted((a, b) => b.span.row - a.span.row)[0]

const textOfPage = (reading: Reading, page: number): string =>
  (reading.pages[page]?.rows ?? []).map((row) => row.map((token) => token.text).join(" ")).join("\n")

/** Ranks what could be the name of the one who issued the document: it is on the first page or the last. */
export const sellersOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const own = reading.labels.filter(
    (match) => match.label.field === field.name && standsAlone(reading, match)
  )
  const sellers = own.filter(({ label }) => label.names)
  const buyers = own.filter(({ label }) => !label.names)
  const domains = domainsOf(reading.text)
  const words = nameWords(reading.lexicon)
  const text = fold(textOfPage(reading, 0))
  const segments = segmentsOf(reading, new Set([0, reading.pages.length - 1]))
  const wrapped = wrappedNames(segments, words.endsInForm)
  const endings = new Set(wrapped.map(({ last }) => last))
  const whole = segments.filter((segment) => !endings.has(segment))
  const ranked = [...whole, ...wrapped.map(({ joined }) => joined)].flatMap(
    (candidate): Array<Ranked<string>> => {
      const value = firstPart(words, candidate.value)
      if (!isPossible(words, value)) return []
      const block = blockOf(own, candidate)
      const inBlock = block === undefined ? 0 : 0.5 * block.quality
      const labelled = Math.max(
        beside(reading, sellers, candidate),
        block?.label.names === true ? inBlock : 0
      )
      const sends = beginsSenderLine(reading, candidate) ? 0.2 : 0
      const addressed = isAddressed(reading, candidate) ? 0.6 : 0
      const bought = Math.max(
        addressed,
        beside(reading, buyers, candidate),
        block?.label.names === false ? inBlock : 0
      )
      const score =
        0.25 +
        wording(words, value, domains, text) +
        placing(reading, candidate) +
        0.45 * labelled +
        sends -
        (isAmongHeadings(reading, candidate) ? 0.25 : 0) -
        0.6 * bought
      return [{ ...candidate, value, score: Math.max(0, Math.min(0.97, score)) }]
    }
  )
  return best(ranked).filter(({ score }) => score >= 0.3)
}

/** Finds the name of the one who issued the document, by its place, its words and the labels of parties. */
export const sellerFinder: Finder = { find: sellersOf }
