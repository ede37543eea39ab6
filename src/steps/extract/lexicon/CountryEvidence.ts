import { getCountries, getCountryCallingCode } from "libphonenumber-js"
import type { Reading } from "../page/Reading.ts"

/** What is paid with, by country (ISO 3166, ISO 4217). */
const currencies = new Map(
  (
    "AD EUR,AE AED,AR ARS,AT EUR,AU AUD,BD BDT,BE EUR,BG BGN,BH BHD,BR BRL,CA CAD,CH CHF,CL CLP,CN CNY,CO COP,CR CRC," +
    "CY EUR,CZ CZK,DE EUR,DK DKK,DO DOP,EE EUR,EG EGP,ES EUR,FI EUR,FR EUR,GB GBP,GR EUR,HK HKD,HR EUR,HU HUF,ID IDR," +
    "IE EUR,IL ILS,IN INR,IS ISK,IT EUR,JP JPY,KE KES,KR KRW,KW KWD,KZ KZT,LI CHF,LK LKR,LT EUR,LU EUR,LV EUR,MA MAD," +
    "MC EUR,MT EUR,MX MXN,MY MYR,NG NGN,NL EUR,NO NOK,NZ NZD,OM OMR,PE PEN,PH PHP,PK PKR,PL PLN,PT EUR,QA QAR,RO RON," +
    "RS RSD,SA SAR,SE SEK,SG SGD,SI EUR,SK EUR,SM EUR,TH THB,TN TND,TR TRY,TW TWD,UA UAH,US USD,UY UYU,VN VND,ZA ZAR"
  )
    .split(",")
    .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const)
)

/** Names of countries that are also names of people, places and goods. */
const ambiguous: ReadonlySet<string> = new Set([
  "Jersey",
  "Jordan",
  "Georgia",
  "Turkey",
  "Chile",
  "Peru",
  "Oman"
])

const languages = "en de fr es it pt nl pl sv da nb fi cs hu ro tr el id".split(" ")

let names: ReadonlyMap<string, string> | undefined

/** The countries by their names in several languages; made when first asked for. */
const countryNames = (): ReadonlyMap<string, string> => {
  if (names !== undefined) return names
  const made = new Map<string, string>()
  for (const language of languages) {
    const display = new Intl.DisplayNames(language, { type: "region", fallback: "none" })
    for (const country of currencies.keys()) {
      const name = display.of(country)
      if (name !== undefined && name.length > 3 && !ambiguous.has(name)) made.set(name, country)
    }
  }
  names = made
  return made
}

const callingCodes = new Map<string, ReadonlyArray<string>>()
for (const country of getCountries()) {
  const code = getCountryCallingCode(country)
  if (currencies.has(country)) callingCodes.set(code, [...(callingCodes.get(code) ?? []), country])
}

/** Places, registers and taxes that only one country (or one currency) has, by how they are printed. */
const places: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bU\.?K\.?\b|\bEngland\b|\bScotland\b|\bWales\b|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/u, "GB"],
  [
    /\bU\.?S\.?A\b|\b(?:A[LKZR]|C[AOT]|DE|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|DC),? \d{5}(?:-\d{4})?\b/u,
    "US"
  ],
  [/\b(?:AB|BC|MB|NB|NL|NS|ON|PE|QC|SK),? [A-Z]\d[A-Z] ?\d[A-Z]\d\b/u, "CA"],
  [/\b(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT),? \d{4}\b/u, "AU"],
  [
    /\bKuala Lumpur\b|\bPetaling Jaya\b|\bDamansara\b|\bSelangor\b|\bJohor\b|\b(?:Pulau )?Pinang\b|\bPenang\b|\bMelaka\b|\bSabah\b|\bSarawak\b|\bPerak\b|\bSubang Jaya\b|\bShah Alam\b|\bPuchong\b|\bCheras\b|\bJalan\b|\bJln\b|\bTaman\b/iu,
    "MY"
  ],
  [/\bCH-?\d{4}\b/u, "CH"],
  [/\bDK-?\d{4}\b|\bKøbenhavn\b|\bAarhus\b/u, "DK"],
  [/\bSE-?\d{3} ?\d{2}\b|\bStockholm\b|\bGöteborg\b/u, "SE"],
  [/\bNO-?\d{4}\b|\bOslo\b/u, "NO"]
]

const registers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bS[DO0][NW]\.? ?B[HN][DO]\b|\bSST\b/iu, "MY"],
  [/\bGSTIN\b|\b\d{2}[A-Z]{5}\d{4}[A-Z]\d[A-Z\d]{2}\b|\bCGST\b|\bPvt\.? Ltd\b/u, "IN"],
  [/\bA\.?B\.?N\.?:? ?\d|\bPty\.? Ltd\b/u, "AU"],
  [/\bHST\b|\bTPS\b.*\bTVQ\b/u, "CA"],
  [/\bNZBN\b/u, "NZ"],
  [/\bPte\.? Ltd\b|\bUEN\b/u, "SG"],
  [/\bCHE-?\d/u, "CH"],
  [/\bUSt-?Id|\bSteuer-?Nr|\bSteuernummer\b|\bHandelsregister\b|\bHRB\b/u, "DE"],
  [/\bSIREN\b|\bSIRET\b|\bRCS\b/u, "FR"],
  [/\bP\. ?IVA\b|\bPartita IVA\b|\bCodice fiscale\b/iu, "IT"],
  [/\bKvK\b|\bBTW\b/u, "NL"],
  [/\bN\.?I\.?F\.?:? ?[A-Z]?\d|\bC\.?I\.?F\.?:? ?[A-Z]\d/u, "ES"],
  [/\bNIPC\b/u, "PT"],
  [/\bNIP:? ?[\dP]|\bREGON\b/u, "PL"],
  [/\bCVR\b/u, "DK"],
  [/\bOrg\.? ?nr.*\bMVA\b|\bForetaksregisteret\b/iu, "NO"],
  [/\bBankgiro\b|\bPlusgiro\b|\bmomsreg|\bF-skatt\b/iu, "SE"],
  [/\bY-tunnus\b/iu, "FI"],
  [/\bIČO?\b|\bDIČ\b/u, "CZ"],
  [/\bAdószám\b/iu, "HU"],
  [/\bCUI\b|\bReg\. ?Com\b/iu, "RO"],
  [/\bVKN\b|\bVergi Dairesi\b/iu, "TR"],
  [/\bCNPJ\b|\bNF-?e\b/u, "BR"],
  [/\bR\.?F\.?C\.?:? ?[A-ZÑ]{3,4}\d{6}/u, "MX"],
  [/\bN\.?P\.?W\.?P\b/u, "ID"],
  [/\bTRN:? ?\d{15}\b/u, "AE"],
  [/\bEIN:? ?\d{2}-\d{7}\b/u, "US"]
]

/** Words that tell languages apart whose countries share the sign `kr`. */
const tongues: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bi alt\b|\bbeløb\b|\bheraf moms\b|\bbetalingsfrist\b|\bmomsbeløb\b|\bkvittering nr\b/iu, "DK"],
  [/\bmva\b|\bbeløp\b|\bå betale\b|\bforfallsdato\b|\bfakturanummer.*kid\b/iu, "NO"],
  [/\bbelopp\b|\batt betala\b|\bförfallo|\bfakturadatum\b|\bsumma\b|\bkvitto\b/iu, "SE"],
  [/\bvirðisauk|\bkennitala\b|\bsamtals\b/iu, "IS"]
]

const topLevel = new Map([...currencies.keys()].map((country) => [country.toLowerCase(), country] as const))
topLevel.set("uk", "GB")
/** Domains that people take for what they spell. */
for (const domain of ["co", "ae", "is", "it", "me"]) topLevel.delete(domain)

/** Which signs of countries a document has, by currency: IBANs, VAT numbers, telephone numbers, places, registers. */
export type CountryEvidence = ReadonlyMap<string, Readonly<Record<string, number>>>

/** Countries whose VAT numbers begin with their code; `GST ID 000849812504` is not one of Indonesia's. */
const writesVatIds: ReadonlySet<string> = new Set(
  "AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ")
)

const kindsOfNumbers = [
  ["iban", /\b([A-Z]{2})\d{2} ?[A-Z0-9]{4}[A-Z0-9 ]{8,26}\b/gu],
  ["vatId", /(?<![A-Z0-9])([A-Z]{2}) ?U?\d{8,12}(?:B\d\d)?\b/gu]
] as const

const namesIn = (text: string): Set<string> => {
  const found = new Set<string>()
  const known = countryNames()
  for (const line of text.split("\n")) {
    const words = line.split(/[\s,;:.()/|·•–-]+/u).filter((word) => word !== "")
    for (const [i, word] of words.entries()) {
      if (!/^\p{Lu}/u.test(word)) continue
      for (const length of [1, 2, 3]) {
        const country = known.get(words.slice(i, i + length).join(" "))
        if (country !== undefined) found.add(country)
      }
    }
  }
  return found
}

/** Gathers what a text says of the country that it comes from. */
export const countryEvidenceOf = (text: string): CountryEvidence => {
  const found = new Map<string, Record<string, number>>()
  const add = (country: string, kind: string) => {
    const currency = currencies.get(country)
    if (currency === undefined) return
    const kinds = found.get(currency) ?? {}
    kinds[kind] = 1
    found.set(currency, kinds)
  }
  for (const [kind, pattern] of kindsOfNumbers)
    for (const [, country = ""] of text.matchAll(pattern)) if (writesVatIds.has(country)) add(country, kind)
  for (const [, digits = ""] of text.matchAll(/\+(\d{1,3})(?=[\s().\-/]*\d)/gu)) {
    const code = [3, 2, 1].map((length) => digits.slice(0, length)).find((part) => callingCodes.has(part))
    // Calling code 1 is shared by the United States and Canada.
    for (const country of callingCodes.get(code ?? "") ?? []) add(country, "phone")
  }
  for (const country of namesIn(text)) add(country, "place")
  for (const [pattern, country] of places) if (pattern.test(text)) add(country, "place")
  for (const [pattern, country] of registers) if (pattern.test(text)) add(country, "register")
  for (const [pattern, country] of tongues) if (pattern.test(text)) add(country, "language")
  for (const [, domain = ""] of text.matchAll(/[a-z0-9-]\.([a-z]{2})\b(?![.@])/gu)) {
    const country = topLevel.get(domain)
    if (country !== undefined) add(country, "domain")
  }
  return found
}

const known = new WeakMap<Reading, CountryEvidence>()

/** `countryEvidenceOf` for a document that is being read, gathered once. */
export const countryEvidence = (reading: Reading): CountryEvidence => {
  const before = known.get(reading) ?? countryEvidenceOf(reading.text)
  known.set(reading, before)
  return before
}
