import type { KindWithWords } from "../extract/lexicon/DocumentKinds.ts"

/** By how much a title is clearly more of one than another. */
const clearTitle = 0.3
/** How much the word `Proforma` is a title, compared with that of the invoice, from which on the document is one. */
const titleOfProforma = 0.55
/** How many words of a utility bill no other invoice has. */
const wordsOfUtility = 3.5
/** What a title that says invoice counts for a utility bill. */
const titleOfUtility = 0.7

/**
 * Weighs kinds against the signs of an invoice, which they have too: a reminder lists number and dates of one, a utility
 * bill has all that an invoice has, and a credit note as well.
 */
export const withoutInvoice = (features: Map<KindWithWords, { title: number; words: number }>): void => {
  const invoice = features.get("invoice")
  if (invoice === undefined) return
  // `FACTURA` above `PROFORMA`: the title of an invoice belongs to that of a proforma, which no invoice has.
  const proforma = features.get("proforma")
  if (proforma !== undefined && proforma.title >= titleOfProforma * invoice.title)
    [proforma.title, invoice.title] = [Math.max(proforma.title, invoice.title), proforma.title / 2]
  // The title makes the difference.
  for (const kind of ["credit-note", "proforma"] as const) {
    const own = features.get(kind)
    if (own === undefined || own.title < invoice.title + 0.1) continue
    own.words += invoice.words
    invoice.words /= 2
  }
  const reminder = features.get("reminder")
  if (reminder !== undefined && reminder.title >= invoice.title + clearTitle) {
    invoice.words /= 2
    // The columns of the invoices that it lists are a reminder's as well.
    reminder.words += invoice.words
  }
  // Meters, units and tariffs make the difference; the title of many of these bills is that of an invoice.
  const utility = features.get("utility-bill")
  if (utility === undefined || utility.words < wordsOfUtility) return
  utility.title = Math.max(utility.title, titleOfUtility * invoice.title)
  invoice.words /= 2
}
