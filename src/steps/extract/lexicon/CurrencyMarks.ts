/** Signs and abbreviations of currencies, longest first where one begins another; `$` alone is decided elsewhere. */
const marks: ReadonlyArray<readonly [string, string]> = [
  ["US$", "USD"],
  ["A$", "AUD"],
  ["AU$", "AUD"],
  ["C$", "CAD"],
  ["CA$", "CAD"],
  ["NZ$", "NZD"],
  ["S$", "SGD"],
  ["HK$", "HKD"],
  ["NT$", "TWD"],
  ["R$", "BRL"],
  ["MX$", "MXN"],
  ["$", "USD"],
  ["€", "EUR"],
  ["EURO", "EUR"],
  ["EUROS", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["円", "JPY"],
  ["元", "CNY"],
  ["RMB", "CNY"],
  ["₹", "INR"],
  ["RS.", "INR"],
  ["RS", "INR"],
  ["RM", "MYR"],
  ["₽", "RUB"],
  ["₩", "KRW"],
  ["₺", "TRY"],
  ["TL", "TRY"],
  ["₫", "VND"],
  ["₪", "ILS"],
  ["฿", "THB"],
  ["₱", "PHP"],
  ["₦", "NGN"],
  ["₴", "UAH"],
  ["ZŁ", "PLN"],
  ["ZL", "PLN"],
  ["KČ", "CZK"],
  ["FT", "HUF"],
  ["SFR.", "CHF"],
  ["SFR", "CHF"],
  ["FR.", "CHF"],
  ["DM", "DEM"],
  ["RP", "IDR"],
  ["LEI", "RON"],
  ["KR", "SEK"],
  ["KR.", "DKK"]
]

/** The currencies of ISO 4217 that documents are written in. */
const codes: ReadonlySet<string> = new Set(
  (
    "AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CRC CZK DKK DOP EGP EUR GBP GEL GHS HKD HRK HUF IDR ILS INR " +
    "ISK JOD JPY KES KRW KWD KZT LBP LKR MAD MUR MXN MYR NGN NOK NPR NZD OMR PAB PEN PHP PKR PLN QAR RON RSD RUB " +
    "SAR SEK SGD THB TND TRY TWD TZS UAH UGX USD UYU VND XAF XOF ZAR ZMW"
  ).split(" ")
)

const names: Readonly<Record<string, string>> = {
  dollars: "USD",
  dollar: "USD",
  euro: "EUR",
  euros: "EUR",
  pounds: "GBP",
  sterling: "GBP",
  rupees: "INR",
  francs: "CHF",
  yen: "JPY"
}

const bySign = new Map(marks)

/** The ISO 4217 code of a sign, an abbreviation or a code; undefined where the text is none. */
export const currencyOf = (text: string): string | undefined => {
  const upper = text.toUpperCase()
  return codes.has(upper) ? upper : bySign.get(upper)
}

/** The code of a currency's name in running text: `US Dollars`. */
export const currencyOfName = (text: string): string | undefined =>
  names[text.toLowerCase().replace(/[^a-z]/gu, "")]

/** Signs that several currencies share: what each can mean, the most common first. */
const shared: Readonly<Record<string, ReadonlyArray<string>>> = {
  $: ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "UYU"],
  "£": ["GBP", "EGP"],
  "¥": ["JPY", "CNY"],
  元: ["CNY", "TWD", "HKD"],
  KR: ["SEK", "NOK", "DKK", "ISK"],
  "KR.": ["DKK", "NOK", "SEK", "ISK"],
  RS: ["INR", "PKR", "LKR", "NPR", "MUR"],
  "RS.": ["INR", "PKR", "LKR", "NPR", "MUR"],
  R: ["ZAR"]
}

/** The ISO 4217 codes that a code, sign or abbreviation can mean, the most common first; none where it is no currency. */
export const meaningsOf = (text: string): ReadonlyArray<string> => {
  const code = currencyOf(text)
  return code === undefined ? [] : (shared[text.toUpperCase()] ?? [code])
}

const prefixes = marks.map(([mark]) => mark).toSorted((a, b) => b.length - a.length)

/** Takes a currency off the beginning of a text: `€12` gives EUR and `12`. */
export const takePrefix = (
  text: string
): { readonly currency: string; readonly rest: string } | undefined => {
  const upper = text.toUpperCase()
  const code = upper.slice(0, 3)
  if (codes.has(code) && /^[A-Z]{3}\s?[-(]?\s?[\d.,]/u.test(upper))
    return { currency: code, rest: text.slice(3) }
  const mark = prefixes.find((mark) => upper.startsWith(mark) && !/^\p{L}/u.test(text.slice(mark.length)))
  const currency = bySign.get(mark ?? "")
  return mark === undefined || currency === undefined
    ? undefined
    : { currency, rest: text.slice(mark.length) }
}

/** Takes a currency off the end of a text: `12€` gives EUR and `12`. */
export const takeSuffix = (
  text: string
): { readonly currency: string; readonly rest: string } | undefined => {
  const match = /^(.*\d[)-]?)(\D{1,6})$/u.exec(text)
  const [, rest = "", mark = ""] = match ?? []
  const currency = currencyOf(mark.trim())
  return currency === undefined ? undefined : { currency, rest }
}
