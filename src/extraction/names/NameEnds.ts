import { isForm, type NameWords } from "../lexicon/NameWords.ts"

/** The most words of a legal form behind its first point: `S.A. de C.V.`, `San. ve Tic. Ltd. Şti.` */
const mostWords = 4

/** The most words of a name that a sentence follows. */
const mostWordsOfName = 14

/** The point behind a name that ends in a form such as `Inc`. */
const pointed = (words: NameWords, name: string): string =>
  words.endsInPointedForm(name) ? `${name}.` : name

/** A name that a sentence follows, with as much of what follows as belongs to its legal form. */
const withWholeForm = (words: NameWords, name: string, rest: string): string => {
  if (isForm(words, rest)) return `${name}. ${rest}`
  const following = rest.split(" ")
  const stem = words.withoutForm(name).length
  for (let count = Math.min(mostWords, following.length); count > 0; count--) {
    const longer = `${name}. ${following.slice(0, count).join(" ")}`
    // The form is longer, and not another one behind it: `Firm Ltd. Company number 12`.
    if (words.endsInForm(longer) && words.withoutForm(longer).length <= stem) return longer
  }
  return pointed(words, name)
}

/** A name up to the end of its legal form, where a sentence or another line follows: `Stratus, Inc.` of `Stratus, Inc. Invoice`. */
export const upToForm = (words: NameWords, text: string): string => {
  const [name = text, ...more] = text.split(/\. (?=\p{Lu})/u)
  // `Main Street, Co. Clare` is in a county.
  const isCounty = /, co$/iu.test(name)
  // `S.C. Carbodist S.R.L.` begins with a form.
  const isName = !isCounty && !isForm(words, name) && words.endsInForm(name)
  if (more.length > 0 && isName) return withWholeForm(words, name, more.join(". "))
  return words.endsInForm(text) ? text : beforeSentence(words, text)
}

/** The forms of Italian partnerships, behind which their partners are named: `Falegnameria Conti S.n.c. di Dario Conti & C.` */
const ofPartners = /(?:^|\s)s\.? ?(?:n\.? ?c|a\.? ?s)\.? di$/iu

/** Whether a line breaks between the form of a partnership and its partners. */
export const leadsToPartners = (text: string): boolean => ofPartners.test(text)

/** Whether a word is inside a name: `SAS Hôtelière du Vieux Quai` has its form in front, a partnership its partners behind it. */
const isInside = (words: NameWords, parts: ReadonlyArray<string>, at: number): boolean => {
  const front = parts.slice(0, at).join(" ")
  const isFormInFront = words.withoutForm(front) === front
  const joins = words.goesOn(parts[at] ?? "") && /^\p{Lu}/u.test(parts[at + 1] ?? "")
  return joins && (isFormInFront || leadsToPartners(`${front} ${parts[at] ?? ""}`))
}

/** Whether a sentence goes on behind a legal form, or the number by which a firm is registered: `Firm (Pty) Ltd Reg. 2011/104482/07`. */
const goesOnBehind = (words: NameWords, parts: ReadonlyArray<string>, at: number): boolean =>
  (/^\p{Ll}{2,}\.?$/u.test(parts[at] ?? "") &&
    !words.goesOn(parts[at - 1] ?? "") &&
    !isInside(words, parts, at) &&
    !words.beginsTradingAs(parts.slice(at).join(" "))) ||
  (/\d{4}/u.test(parts.slice(at).join(" ")) && words.beginsRegistration(parts.slice(at).join(" ")))

/** A name up to its legal form where a sentence goes on: `TROIS PONTS IMPRESSIONS SARL au capital de 38 200 €`. */
const beforeSentence = (words: NameWords, text: string): string => {
  const parts = text.split(/\s+/u)
  const end = parts
    .slice(0, mostWordsOfName)
    .findIndex(
      (_, at) => at > 1 && goesOnBehind(words, parts, at) && words.endsInForm(parts.slice(0, at).join(" "))
    )
  const name = parts.slice(0, Math.max(end, 0))
  const isName = name.every((part) => /^[\p{Lu}\p{N}&(]/u.test(part) || words.goesOn(part))
  return end > 0 && isName && !isForm(words, name.join(" ")) ? name.join(" ") : text
}

/**
 * A name without stars and pictures at its edges: a hotel's class and the signs of a logo are none of its words. `®` and the like
 * are printed as a part of names.
 */
export const withoutStars = (text: string): string =>
  text.replace(/^(?:(?![®©™°])[\s*\p{So}\p{Co}\uFE0F])+|(?:(?![®©™°])[\s*\p{So}\p{Co}\uFE0F#])+$/gu, "")

/** A name whose legal form was misread with the form as it is printed: `Šator d.O.0.` is `Šator d.o.o.` */
export const withMendedForm = (words: NameWords, text: string): string => {
  if (words.endsInForm(text)) return text
  const parts = text.split(/\s+/u)
  for (let count = Math.min(mostWords, parts.length - 1); count > 0; count--) {
    const last = parts.slice(-count).join(" ")
    const form = /\d|\..*\./u.test(last) ? words.formLike(last) : undefined
    if (form !== undefined) return `${parts.slice(0, -count).join(" ")} ${form}`
  }
  return text
}

/** A name behind the word for it, in the block of a party: `Razón Social: Vinos del Sur SA`. */
export const withoutNameLabel = (words: NameWords, text: string): string => {
  const [, label = "", name = ""] = /^([\p{L}/ .]{2,30})[:：]\s*(.*)$/u.exec(text) ?? []
  return name !== "" && words.isNameLabel(label) ? name : text
}
