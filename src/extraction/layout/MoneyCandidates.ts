import type { Candidate } from "./Candidate.ts"
import { currencyOf } from "../lexicon/CurrencySigns.ts"
import { mendedMoney } from "../values/MendedMoney.ts"
import { type Money, parseMoney } from "../values/Money.ts"
import type { Decimal } from "../values/Numbers.ts"
import { around, type PageModel, type Token } from "./PageModel.ts"
import { defined } from "../../support/Defined.ts"

const startsLikeMoney =
  /^[*=≡]?(?:\([-−–]\)|[-−–+(])?\s?(?:\p{Sc}|[A-Za-z]{1,3}\p{Sc}|[\d.,]|[RP]\d)|^(?:\([-−–]\)|[-−–(RP])$/u
/** What may be an amount though a letter is in it or a mark before it; only asked of what was recognised. */
const startsLikeMisread = /^[-–=:~]?(?:\p{L}{1,3}|[§#&@?*¢«»<>]{1,2})?\d/u
const longest = 5

/**
 * How far apart the parts of one amount may be, in heights: closer between digits than next to a currency. A space of plain
 * text is 0.6 heights wide.
 */
export const mayJoin = (left: Token, right: Token): boolean => {
  const bothDigits = /\d$/u.test(left.text) && /^\d/u.test(right.text)
  return right.x - (left.x + left.w) <= (bothDigits ? 0.75 : 1.6) * right.h
}

const qualityOf = (money: Money, text: string): number => {
  const named = money.currency !== undefined
  if (money.decimals === 2) return named ? 1 : 0.9
  if (money.decimals > 2) return 0.6
  if (named) return 0.9
  return /[.,]\d{3}/u.test(text) ? 0.7 : 0.45
}

interface Found {
  readonly money: Money
  readonly to: number
  readonly text: string
  readonly mended: boolean
}

const isPercent = (tokens: ReadonlyArray<Token>, to: number): boolean =>
  (tokens[to]?.text.includes("%") ?? false) || (tokens[to + 1]?.text.startsWith("%") ?? false)

const moneyAt = (
  tokens: ReadonlyArray<Token>,
  from: number,
  decimal: Decimal | undefined
): Found | undefined => {
  const first = tokens[from]
  if (first === undefined) return undefined
  const recognised = first.confidence !== undefined
  const begins = startsLikeMoney.test(first.text) || (recognised && startsLikeMisread.test(first.text))
  if (!begins && currencyOf(first.text.replace(/^[-−–(]|:$/gu, "")) === undefined) return undefined
  let last = from
  while (last + 1 < tokens.length && last - from + 1 < longest) {
    const [left, right] = [tokens[last], tokens[last + 1]]
    if (left === undefined || right === undefined || !mayJoin(left, right)) break
    last++
  }
  for (let to = last; to >= from; to--) {
    const text = tokens
      .slice(from, to + 1)
      .map((token) => token.text)
      .join(" ")
    const money = parseMoney(text, decimal)
    if (money !== undefined) return { money, to, text, mended: false }
    const mended = recognised ? mendedMoney(text, decimal) : undefined
    if (mended !== undefined) return { money: mended, to, text, mended: true }
  }
  return undefined
}

/** All amounts and other numbers of a page, percentages left out. `taken` tells which tokens belong to dates. */
export const moneyOf = (
  model: PageModel,
  page: number,
  decimal: Decimal | undefined,
  taken: (row: number, token: number) => boolean
): Array<Candidate<number>> => {
  const found: Array<Candidate<number>> = []
  for (const [row, tokens] of model.rows.entries()) {
    for (let from = 0; from < tokens.length; from++) {
      if (taken(row, from)) continue
      const here = moneyAt(tokens, from, decimal)
      if (here === undefined) continue
      const span = { page, row, from, to: here.to }
      if (!isPercent(tokens, here.to)) {
        found.push({
          span,
          bbox: around(tokens.slice(from, here.to + 1)),
          text: here.text,
          value: here.money.value,
          quality: (here.mended ? 0.8 : 1) * qualityOf(here.money, here.text),
          ...defined({ currency: here.money.currency })
        })
      }
      from = here.to
    }
  }
  return found
}
