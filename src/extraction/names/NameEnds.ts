import { isForm, type NameWords } from "../lexicon/NameWords.ts"

/** The most words of a name that a sentence follows. */
const mostWords = 14

/**
 * A name up to its legal form where something goes on: `TROIS PONTS SARL au capital de 38 200 €`, `Stratus, Inc. Invoice`,
 * `Firm e.U., Inhaber Jo Doe`, `Hotel Miramonte GmbH ****`.
 */
export const upToForm = (words: NameWords, text: string): string => {
  if (words.endsInForm(text)) return text
  const parts = text.split(/\s+/u)
  for (let end = Math.min(parts.length - 1, mostWords); end > 0; end--) {
    const [last = "", next = "", after = ""] = parts.slice(end - 1)
    // `Conti S.n.c. di Dario Conti`: a small word between two large ones joins them.
    const joins = words.goesOn(next) && /^\p{Lu}/u.test(after)
    if (joins || (/^[\p{Lu}\p{Lo}&]/u.test(next) && !/[.,]$/u.test(last))) continue
    const name = parts.slice(0, end).join(" ").replace(/,$/u, "")
    const own = words.withoutForm(name).trim().split(" ")
    const isName = own.every((part) => /^["„«“(]*[\p{Lu}\p{N}&]/u.test(part) || words.goesOn(part))
    // `Main Street, Co. Clare` is in a county.
    if (!isName || !words.endsInForm(name) || isForm(words, name) || /, co\.$/iu.test(name)) continue
    // The point of a sentence is no part of `Ltd`.
    const bare = name.replace(/\.$/u, "")
    return words.endsInPointedForm(bare) ? name : bare
  }
  return text
}

/** A name behind the word for it, in the block of a party: `Razón Social: Vinos del Sur SA`. */
export const withoutNameLabel = (words: NameWords, text: string): string => {
  const [, label = "", name = ""] = /^([\p{L}/ .]{2,30})[:：]\s*(.*)$/u.exec(text) ?? []
  return name !== "" && words.isNameLabel(label) ? name : text
}
