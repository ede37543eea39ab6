import type { Candidate } from "../layout/Candidate.ts"
import type { NameWords } from "../lexicon/NameWords.ts"
import type { PageModel, Token } from "../layout/PageModel.ts"

/** What the lines around a name say, those of its own column without a wide gap. */
export interface NameBlock {
  /** The line right above is a form of address: `Herrn`. */
  readonly addressed: boolean
  /** Nothing is right above. */
  readonly first: boolean
  /** A street or a postcode is below. */
  readonly address: boolean
  /** A telephone number, an address of mail or the like is below, or a registration, such as a VAT number. */
  readonly contact: boolean
  readonly registration: boolean
}

const farthest = 6
/** The distance in line heights from which two lines belong to different blocks. */
const gap = 1.6

const inColumn = (row: ReadonlyArray<Token>, { bbox }: Candidate): ReadonlyArray<Token> => {
  const over = row.filter(({ w, x }) => x < bbox.x + bbox.w && x + w > bbox.x)
  const phrases = new Set(over.map(({ phrase }) => phrase))
  return row.filter(({ phrase }) => phrases.has(phrase))
}

/** The lines of the column above (`step` -1) or below (1), the nearest first. */
const linesFrom = (page: PageModel, candidate: Candidate, step: 1 | -1): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let edge = candidate.bbox.y + (step > 0 ? candidate.bbox.h : 0)
  for (let row = candidate.span.row + step; lines.length < farthest; row += step) {
    const tokens = page.rows[row]
    const [first] = tokens ?? []
    if (tokens === undefined || first === undefined) break
    const distance = step > 0 ? first.y - edge : edge - (first.y + first.h)
    if (distance > gap * page.lineHeight) break
    const own = inColumn(tokens, candidate)
    if (own.length === 0) continue
    lines.push(own.map(({ text }) => text).join(" "))
    edge = step > 0 ? first.y + first.h : first.y
  }
  return lines
}

const postcode = /(?:^|[\s-])(?:\d{4,6}|\d{2,3}[- ]\d{2,3}|[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2})(?=$|[\s,])/u
/** A number by which a firm is registered or taxed. */
const registered = /\d{6,}|[A-Z]{2} ?\d{2,}|\d{3}[-. ]\d{2,3}[-. ]\d{2,3}/u

/** What the lines around a name on its page say. */
export const blockAround = (page: PageModel, candidate: Candidate<string>, words: NameWords): NameBlock => {
  const above = linesFrom(page, candidate, -1)
  const below = linesFrom(page, candidate, 1)
  const [over] = above
  return {
    addressed: over !== undefined && words.isHonorific(over),
    first: over === undefined,
    address: below.slice(0, 4).some((line) => words.isStreet(line) || postcode.test(line)),
    contact: below.some(words.isContact),
    registration: below.some((line) => words.isContact(line) && registered.test(line))
  }
}
