import type { EmbeddedInvoice } from "../../../domain/EmbeddedInvoice.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import { plain } from "../../../extraction/lexicon/Fold.ts"
import type { Found } from "../ExtractSource.ts"

/** What is compared: a reader of the page and one of the data should come to the same. */
const compared = new Set(["BT-1", "BT-2", "BT-5", "BT-27", "BT-109", "BT-110", "BT-112", "BT-115"])
/** Below this rules may have misread the page. */
const confident = 0.8

const letters = (value: unknown): string => plain(String(value)).replace(/[^\p{L}\p{N}]/gu, "")

const wordsOf = (value: unknown): ReadonlyArray<string> =>
  plain(String(value)).match(/[\p{L}\p{N}]{3,}/gu) ?? []

/** Names are the same where one is part of the other, or half of the words of the shorter one are in both. */
const sameName = (a: unknown, b: unknown): boolean => {
  const [one, other] = [letters(a), letters(b)]
  if (one === "" || other === "" || one.includes(other) || other.includes(one)) return true
  const [short, long] = [wordsOf(a), wordsOf(b)].toSorted((x, y) => x.length - y.length)
  const shared = (short ?? []).filter((word) => (long ?? []).includes(word)).length
  return shared > 0 && shared >= (short?.length ?? 0) / 2
}

const same = (field: Field, invoice: EmbeddedInvoice, printed: unknown, embedded: unknown): boolean => {
  if (field.finder === "seller") {
    const names = invoice.terms.filter(({ term }) => term === "BT-27" || term === "BT-28")
    return [embedded, ...names.map(({ value }) => value)].some((name) => sameName(printed, name))
  }
  if (typeof embedded === "number") return Math.abs(Number(printed) - embedded) < 0.005
  return letters(printed) === letters(embedded)
}

/** A field of which the page says something else than the data. */
export interface Disagreement {
  readonly field: string
  readonly warning: string
}

const warningOf = (name: string, embedded: FieldEvidence, printed: FieldEvidence): string =>
  `${name}: the invoice data says ${JSON.stringify(embedded.value)} (${embedded.attachment ?? "the attached file"}, ${embedded.path ?? ""}), but page ${printed.page ?? 1} shows ${JSON.stringify(printed.value)} (as ${JSON.stringify(printed.text ?? "")}).`

/** Where the page surely shows something else than the data that the document carries. */
export const disagreements = (
  invoice: EmbeddedInvoice,
  fields: ReadonlyArray<Field>,
  embedded: Found,
  printed: Found
): ReadonlyArray<Disagreement> =>
  fields.flatMap((field): Array<Disagreement> => {
    const [own, shown] = [embedded[field.name], printed[field.name]]
    if (field.term === undefined || !compared.has(field.term) || own?.by !== "embedded") return []
    if (shown?.status !== "grounded" || shown.confidence < confident) return []
    return same(field, invoice, shown.value, own.value)
      ? []
      : [{ field: field.name, warning: warningOf(field.name, own, shown) }]
  })
