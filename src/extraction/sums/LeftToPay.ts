import { inCents } from "../../support/Cents.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { lastOfRows } from "../candidates/LastOfRows.ts"
import type { Field } from "../lexicon/Field.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { textBefore } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

const dueWords = ofLexicon((lexicon) => wholeWords(lexicon.field("invoice.amountDue").labels))

/** How many rows with amounts may be between the total and what is left, and how often the total is looked for. */
const mostBelow = 12
const mostPrintings = 5

/** The label of an amount that is left to pay, as it is printed. */
const labelOf = (reading: Reading, { span }: Candidate): string | undefined =>
  dueWords(reading.lexicon).exec(textBefore(reading.pages, span))?.[0]

/** Whether amounts are what was paid or deducted: one of them, or all together. */
const isPaidIn = (between: ReadonlyArray<Candidate<number>>, paid: number): boolean =>
  between.some(({ value }) => Math.abs(inCents(value)) === paid) ||
  between.reduce((sum, { value }) => sum + Math.abs(inCents(value)), 0) === paid

/** What is left to pay of a total, below it: its label says so, and what is printed between them was paid or deducted. */
export const restBelow = (
  reading: Reading,
  amounts: ReadonlyArray<Candidate<number>>,
  at: number
): Candidate<number> | undefined => {
  const total = Math.abs(inCents(amounts[at]?.value ?? 0))
  const below = amounts.slice(at + 1, at + 1 + mostBelow)
  return below.find(
    (amount, position) =>
      amount.value > 0 &&
      Math.abs(inCents(amount.value)) < total &&
      isPaidIn(below.slice(0, position), total - Math.abs(inCents(amount.value))) &&
      labelOf(reading, amount) !== undefined
  )
}

/**
 * The warning that less than the total is left to pay, because of a deposit for example. Undefined where nothing of that is
 * printed, where the amounts between the total and the rest do not explain it, and where the flow asks for `amountDue` itself.
 */
export const leftToPay = (
  reading: Reading,
  fields: ReadonlyArray<Field>,
  evidence: ReadonlyMap<string, FieldEvidence>
): string | undefined => {
  const field = fields.find(({ preset }) => preset === "invoice.totalAmount")
  const total = evidence.get(field?.name ?? "")?.value
  if (field === undefined || typeof total !== "number") return undefined
  if (fields.some(({ preset }) => preset === "invoice.amountDue")) return undefined
  const amounts = lastOfRows(reading)
  const printings = [...amounts.keys()].filter(
    (at) => Math.abs(inCents(amounts[at]?.value ?? 0)) === Math.abs(inCents(total))
  )
  for (const first of printings.slice(-mostPrintings)) {
    const due = restBelow(reading, amounts, first)
    if (due === undefined) continue
    const printed = JSON.stringify(`${labelOf(reading, due) ?? ""} ${due.text}`)
    return `Less than ${field.name} is left to pay: ${due.value} (${printed}).`
  }
  return undefined
}
