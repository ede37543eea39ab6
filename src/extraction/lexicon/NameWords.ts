import { kindsWithWords } from "./DocumentKinds.ts"
import { type Lexicon, ofLexicon } from "./Lexicon.ts"
import type { WordList } from "./LexiconFile.ts"
import { anyOf, asWritten, wholeWords } from "./WordPatterns.ts"
import { plain } from "./Fold.ts"

/** How far from its end the last letters of a string are looked for. */
const mostOfEnding = 24

const isBehindForm = (letter: string): boolean =>
  letter === "." || letter === "," || letter === ")" || letter.trim() === ""

/**
 * The last two letters in front of the points and brackets at the end, for whatever compares forms without regard to case. Letter by
 * letter: thousands of strings are asked about.
 */
const endingOf = (text: string): string => {
  const first = Math.max(0, text.length - mostOfEnding)
  let end = text.length - 1
  while (end >= first && isBehindForm(text.charAt(end))) end--
  let letters = ""
  for (let at = end; at >= first && letters.length < 2; at--) {
    const letter = text.charAt(at)
    if (letter !== "." && letter.trim() !== "") letters = letter + letters
  }
  return letters.toLowerCase()
}

/**
 * Makes patterns of legal forms at the end of a string, each only of the forms that end in the same letters: hundreds of forms would
 * be tried at every place, and most strings end like none or a few of them. Undefined where none can be at the end.
 */
export const patternsByEnding = (
  forms: ReadonlyArray<string>,
  patternOf: (forms: ReadonlyArray<string>) => RegExp
): ((text: string) => RegExp | undefined) => {
  const endings = forms.flatMap((form) =>
    [...new Set([endingOf(form), endingOf(plain(form))])].map((ending) => ({ ending, form }))
  )
  const groups = Map.groupBy(endings, ({ ending }) => ending)
  const made = new Map<string, RegExp>()
  const make = (ending: string): RegExp => {
    // A form of one letter may be at the end of `ending` too.
    const same = new Set([ending, ending.slice(-1)])
    const pattern = patternOf([...same].flatMap((end) => groups.get(end) ?? []).map(({ form }) => form))
    made.set(ending, pattern)
    return pattern
  }
  return (text) => {
    const ending = endingOf(text)
    const known = groups.has(ending) ? ending : ending.slice(-1)
    return groups.has(known) ? (made.get(known) ?? make(known)) : undefined
  }
}

/** Tells from the words of the lexicon whether a string can be the name of a company, and what else it is. */
export interface NameWords {
  /**
   * Ends in a legal form: `Wolfram GmbH`. Forms that are words as well count with their capitals: `Volvo AB`. Where a language
   * has it in front, it begins with one: `株式会社 北浜食品`.
   */
  readonly endsInForm: (text: string) => boolean
  /** Ends in a legal form that is written with a point, such as `Inc.`, whether the point is there or not. */
  readonly endsInPointedForm: (text: string) => boolean
  /** The name without the legal form at its end. */
  readonly withoutForm: (text: string) => string
  /** Contains a legal form, as it is written, between other words: `Rohstoff AG Salzgitter`. */
  readonly holdsForm: (text: string) => boolean
  /** Ends in a word that ends no name, such as `&` or `de`: it goes on in the next line. */
  readonly goesOn: (text: string) => boolean
  /** Contains the word for a kind of shop: `Bakery`. */
  readonly isShop: (text: string) => boolean
  /** Consists of words such as `Restaurant & Café GmbH`: what a company is, and no name of its own. */
  readonly saysOnlyWhat: (text: string) => boolean
  /** Is the title of a document or heads a page: `Invoice 17`, `Copy`. */
  readonly isTitle: (text: string) => boolean
  /** Is a form of address: `Herrn`, `Attn.` */
  readonly isHonorific: (text: string) => boolean
  /** Says how a company is reached or registered: `Phone 0171`, `VAT No`. */
  readonly isContact: (text: string) => boolean
  /** Begins with the number under which a company is registered: `(Co. No: 12345)`, `GST ID 000123`. */
  readonly beginsRegistration: (text: string) => boolean
  /** Ends in the words for such a number, or for one of a telephone or account: `P.IVA/C.F.`, `Tel.` */
  readonly endsInRegistration: (text: string) => boolean
  /** Names the owner of a shop, and not the shop: `Inh. Beate Struck`. */
  readonly beginsWithOwner: (text: string) => boolean
  /** Is about the receipt, and not about the shop: `Cashier 3`, `Table`. */
  readonly isAboutReceipt: (text: string) => boolean
  /** Is the word for the name of a company: `Razón Social`, `Company name`. */
  readonly isNameLabel: (text: string) => boolean
  /** Contains a word of an address: `12, Baker Street`. */
  readonly isStreet: (text: string) => boolean
}

const webAddress = /@|:\/\/|www\./iu

const containing = (lexicon: Lexicon, ...lists: ReadonlyArray<WordList>) => {
  const pattern = wholeWords(lists.flatMap((list) => lexicon.words(list)))
  return (text: string): boolean => pattern.test(text)
}

/** `1,1 kg` is no `KG`. */
const weight = /\d\s?kg$/iu

/** `LİMİTED ŞİRKETİ`: the Turkish capital is no letter `i` to regular expressions. */
const withPlainI = (text: string): string => (text.includes("İ") ? text.replaceAll("İ", "I") : text)

/** The form of an Italian partnership and the partners it names behind it: `S.n.c. di Dario Conti & C.` */
const withPartners = /\s(?:s\.? ?n\.? ?c|s\.? ?a\.? ?s)\.? di \p{Lu}.*$/iu

const formsIn = (lexicon: Lexicon) => {
  const always = patternsByEnding(
    lexicon.words("legalForms"),
    (forms) => new RegExp(String.raw`(?:^|[\s.,(])${anyOf(forms)}[.,)]*\s*$`, "iu")
  )
  const cased = patternsByEnding(
    lexicon.words("legalFormsAtEnd"),
    (forms) => new RegExp(String.raw`(?:^|[\s.,(])${asWritten(forms)}[.,)]*\s*$`, "u")
  )
  // `SIA "Kurzemes Malka"`, `ООО «Ромашка»`: where names are quoted, the form is in front of them.
  const quoted = new RegExp(
    String.raw`^${asWritten([...lexicon.words("legalForms"), ...lexicon.words("legalFormsAtEnd")])}\s?["«„“”].{2,}["»“”]$`,
    "u"
  )
  const forms = [...lexicon.words("legalForms"), ...lexicon.words("legalFormsAtEnd")]
  // `株式会社 北浜食品`, `(주)한빛`: in these scripts the form may be in front.
  const inFront = new RegExp(
    String.raw`^${asWritten(forms.filter((form) => /[\p{Script=Han}\p{Script=Hangul}]/u.test(form)))}\s?[\p{L}\p{N}]{2,}`,
    "u"
  )
  // `SARL Dupont`, but not `SARL au capital de 8 000 €`.
  const before = new RegExp(
    String.raw`^${asWritten(lexicon.words("legalFormsInFront"))}\s\p{Lu}[\p{L}\p{N}'’-]+`,
    "u"
  )
  const pointed = new RegExp(
    String.raw`(?:^|[\s.,(])${asWritten(forms.filter((form) => form.endsWith(".")))}$`,
    "u"
  )
  const begins = new Set(
    [...forms, ...lexicon.words("legalFormsInFront")].flatMap((form) => [
      form.charAt(0),
      form.charAt(0).toUpperCase()
    ])
  )
  const beginsWithForm = (text: string): boolean =>
    begins.has(text.charAt(0)) && (inFront.test(text) || (before.test(text) && !/\bcapital\b/iu.test(text)))
  const endsInForm = (text: string): boolean =>
    ((always(text)?.test(text) === true || cased(text)?.test(text) === true) && !weight.test(text)) ||
    (/ di /iu.test(text) && withPartners.test(text)) ||
    (/["»“”]$/u.test(text) && quoted.test(text)) ||
    beginsWithForm(text)
  return {
    endsInForm: (text: string): boolean => endsInForm(withPlainI(text)),
    // `S.A` has lost its last point, `SA` is written without any.
    endsInPointedForm: (text: string): boolean =>
      pointed.test(text) && (/\.\p{L}+$/u.test(text) || /\p{L}{3,}$/u.test(text)),
    withoutForm: (printed: string): string => {
      const text = withPlainI(printed)
      if (withPartners.test(text)) return printed.replace(withPartners, "")
      const pattern = always(text)
      const shorter = pattern === undefined ? text : text.replace(pattern, "")
      const ownPattern = cased(shorter)
      const shortest = ownPattern === undefined ? shorter : shorter.replace(ownPattern, "")
      // Forms are at the end: the same letters are left in front of them.
      return printed.slice(0, shortest.length)
    }
  }
}

/** How a string begins, up to four letters, for whatever compares it without regard to case, spaces and points. */
const beginningOf = (text: string): string =>
  text.slice(0, 12).replace(/[\s.]/gu, "").slice(0, 4).toLowerCase()

/** Whether a string is a title of some kind of document, which may be followed by a number, or another heading of a page. */
const titlesIn = (lexicon: Lexicon): ((text: string) => boolean) => {
  const titles = [
    ...lexicon.languages.flatMap(({ kinds }) => kindsWithWords.flatMap((kind) => kinds[kind]?.titles ?? [])),
    ...lexicon.words("headings")
  ]
  // Hundreds of titles would be tried one after the other: only those that begin like the string are. Most beginnings never occur,
  // and making the patterns of all takes half a second.
  const byBeginning = Map.groupBy([...titles, ...titles.map(plain)], beginningOf)
  const patterns = new Map<string, RegExp>()
  const patternOf = (beginning: string): RegExp | undefined => {
    const group = byBeginning.get(beginning)
    if (group === undefined) return undefined
    const made =
      patterns.get(beginning) ?? new RegExp(String.raw`^${anyOf(group)}(?![\p{L}\p{N}])[\s.:#]*\d*$`, "iu")
    patterns.set(beginning, made)
    return made
  }
  // `Delivery Service Invoice`: the word for an invoice ends no name, as long as it is no short one such as `Bill`.
  const ends = new RegExp(
    String.raw`^(?:\p{L}+ ){1,3}${anyOf(
      lexicon.languages.flatMap(({ kinds }) =>
        (kinds["invoice"]?.titles ?? []).filter((title) => /^\p{L}{6,}$/u.test(title))
      )
    )}$`,
    "iu"
  )
  return (text) => {
    if (ends.test(text)) return true
    const beginning = beginningOf(text)
    for (let length = beginning.length; length > 0; length--)
      if (patternOf(beginning.slice(0, length))?.test(text) === true) return true
    return false
  }
}

/** The words of a lexicon that concern names, prepared once. */
export const nameWords = ofLexicon((lexicon): NameWords => {
  const inside = new RegExp(String.raw`\s${asWritten(lexicon.words("legalForms"))}\s`, "u")
  const honorific = new RegExp(String.raw`^${anyOf(lexicon.words("honorifics"))}[.:]*$`, "iu")
  const registration = new RegExp(
    String.raw`^\W*${anyOf(lexicon.words("registrations"))}(?![\p{L}\p{N}])`,
    "iu"
  )
  const registrationEnd = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${anyOf([...lexicon.words("registrations"), ...lexicon.words("contacts"), "TIN"])}[\s.:]*(?:no|nr|n°|nº|number|id)?[\s.:]*$`,
    "iu"
  )
  const owner = new RegExp(String.raw`^\W*${anyOf(lexicon.words("owners"))}(?![\p{L}\p{N}])`, "iu")
  const isContact = containing(lexicon, "contacts", "registrations")
  const isShop = containing(lexicon, "shops")
  const trades = new Set(lexicon.words("trades").map(plain))
  const nameLabel = new RegExp(`^(?:${anyOf(lexicon.words("nameLabels"))}[\\s/]*)+$`, "iu")
  const conjunctions = new RegExp(`^${anyOf(lexicon.words("and"))}$`, "iu")
  const inner = new Set(
    ["&", ...lexicon.words("and"), ...lexicon.languages.flatMap(({ common }) => common)].map(plain)
  )
  const { endsInForm, endsInPointedForm, withoutForm } = formsIn(lexicon)
  return {
    endsInForm,
    endsInPointedForm,
    withoutForm,
    holdsForm: (text) => inside.test(text),
    goesOn: (text) => inner.has(plain(text.split(/\s+/u).at(-1) ?? "").toLowerCase()),
    isShop,
    saysOnlyWhat: (text) =>
      withoutForm(text.replace(/[^\p{L}\p{N}.\s]/gu, " "))
        .split(/\s+/u)
        .every((word) => word === "" || conjunctions.test(word) || trades.has(plain(word)) || isShop(word)),
    isTitle: titlesIn(lexicon),
    isHonorific: (text) => honorific.test(text),
    isContact: (text) => webAddress.test(text) || isContact(text),
    endsInRegistration: (text) => registrationEnd.test(text),
    beginsRegistration: (text) => registration.test(text),
    beginsWithOwner: (text) => owner.test(text),
    isAboutReceipt: containing(lexicon, "notNames"),
    isNameLabel: (text) => nameLabel.test(text.trim()),
    isStreet: containing(lexicon, "streets")
  }
})

/**
 * Whether a line is nothing but a legal form, such as `GmbH & Co. KG`: the end of a name that began above. `株式会社北浜食品` is a
 * word with a form in front, which ends no name.
 */
export const isForm = (
  { endsInForm: ends, withoutForm }: Pick<NameWords, "endsInForm" | "withoutForm">,
  text: string
): boolean =>
  text.split(/\s+/u).every((word) => word === "&" || (ends(word) && ends(`- ${word}`))) ||
  // `SA DE CV` is a form, but `DE` is none.
  (ends(`- ${text}`) && withoutForm(`- ${text}`).trim() === "-")
