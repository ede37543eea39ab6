import { getCountries, getCountryCallingCode } from "libphonenumber-js"
import type { Reading } from "../layout/Reading.ts"
import { countryCurrencies } from "../lexicon/CountryCurrencies.ts"
import { countriesNamed } from "../lexicon/CountryNames.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { lexiconInUse } from "../lexicon/ReadLexicon.ts"

const callingCodes = new Map<string, ReadonlyArray<string>>()
for (const country of getCountries()) {
  const code = getCountryCallingCode(country)
  if (countryCurrencies.has(country)) callingCodes.set(code, [...(callingCodes.get(code) ?? []), country])
}

/** Places, registers and taxes that only one country (or one currency) has, by how they are printed. */
const places: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/u, "GB"],
  [
    /\b(?:A[LKZR]|C[AOT]|DE|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|DC),? \d{5}(?:-\d{4})?\b/u,
    "US"
  ],
  [/\b(?:AB|BC|MB|NB|NL|NS|ON|PE|QC|SK),? [A-Z]\d[A-Z] ?\d[A-Z]\d\b/u, "CA"],
  [/\b[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d\b|\(Québec\)/u, "CA"],
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
  [/\bGSTIN\b|\b\d{2}[A-Z]{5}\d{4}[A-Z]\d[A-Z\d]{2}\b|\bCGST\b|\bP(?:vt|VT)\.? L(?:td|TD)\b/u, "IN"],
  [/\bA\.?B\.?N\.?:? ?\d|\bP(?:ty|TY)\.? L(?:td|TD)\b/u, "AU"],
  [/\bHST\b/u, "CA"],
  // Anchored: a long text of nothing but the first word would otherwise be searched from each of them to its end.
  [/^(?=[^]*\bTPS\b)(?=[^]*\bTVQ\b)|^(?=[^]*\bGST\b)(?=[^]*\b[PQ]ST\b)/u, "CA"],
  [/\bNZBN\b|\bGST(?: (?:No|Number|Reg)\.?)?:? ?\d{2,3}-\d{3}-\d{3}\b/u, "NZ"],
  [/\(Pty\) Ltd\b|\bVAT (?:Reg\.? )?No\.?:? ?4\d{9}\b/iu, "ZA"],
  [/統一編號|營業稅|新臺幣|新台幣|中華民國/u, "TW"],
  [/사업자등록번호|세금계산서|부가세/u, "KR"],
  [/纳税人识别号|价税合计|统一社会信用代码|增值税/u, "CN"],
  [/登.番号:? ?T\d{13}|消[費费]税|株式会社|有限会社|御中/u, "JP"],
  [/\b3\d{13}3\b/u, "SA"],
  [/เลขประจำตัวผู้เสียภาษี|ภาษีมูลค่าเพิ่ม/u, "TH"],
  [/\bЄДРПОУ\b|\bПДВ\b/u, "UA"],
  [/מע"מ|ח\.פ\.|ע\.מ\./u, "IL"],
  [/\bR\.?U\.?T\.?:? ?\d{1,2}\.\d{3}\.\d{3}-[\dK]/u, "CL"],
  [/\bCUIT\b/u, "AR"],
  [/\bDIAN\b|\bNIT:? ?\d{3}\.\d{3}\.\d{3}-\d/u, "CO"],
  [/\bICE ?:? ?\d{15}\b/u, "MA"],
  [/\bMã số thuế\b|\bGTGT\b/iu, "VN"],
  // Many companies are registered for the tax with their own number: the year, five digits and a letter.
  [/\bPte\.? Ltd\b|\bUEN\b|\bGST ?(?:Reg|No)[^\n\d]{0,12}(?:19|20)\d{7}[A-Z]\b/iu, "SG"],
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
  // Italian receipts have `di cui IVA`.
  [/\bC\.?U\.?I\.?:? ?(?:RO ?)?\d{2,10}\b|\bReg\. ?Com\b/iu, "RO"],
  [/\bVKN\b|\bVergi Dairesi\b|\b(?:TOP)?KDV\b/iu, "TR"],
  [/\bCNPJ\b|\bNF-?e\b/u, "BR"],
  [/\bR\.?F\.?C\.?:? ?[A-ZÑ]{3,4}\d{6}/u, "MX"],
  [/\bN\.?P\.?W\.?P\b/u, "ID"],
  [/\bTRN:? ?\d{15}\b/u, "AE"],
  [/\bEIN:? ?\d{2}-\d{7}\b/u, "US"],
  [/\bID broj:? ?4\d{12}\b/iu, "BA"],
  [/\bPIB\b:? ?1\d{8}\b/u, "RS"],
  [/\bЕМБС\b|\bДДВ\b/u, "MK"],
  [/\bДДС\b|\bЕИК\b/u, "BG"],
  [/\bБИН\b|\bИИК\b/u, "KZ"],
  [/\bУНП\b/u, "BY"],
  [/\bkt\.? ?\d{6}-\d{4}\b/iu, "IS"],
  [/\bSTRN\b|\bNTN\b/u, "PK"],
  [/\b\d{9}-7000\b/u, "LK"],
  [/\bMushak\b/iu, "BD"],
  [/\bVAT REG\.? TIN\b|\bBIR (?:Permit|Authority)\b/iu, "PH"],
  [/\bPIN:? ?[AP]0\d{8}[A-Z]\b|\beTIMS\b/u, "KE"],
  [/\bGETFund\b|\bNHIL\b/iu, "GH"],
  [/\bNINEA\b/u, "SN"],
  [/\bM\.? ?F\.? ?:? ?\d{7} ?\/? ?[A-Z]\b|\bMatricule fiscale?\b/u, "TN"],
  [/\bR\.?U\.?C\.?:? ?\d{10}001\b/u, "EC"],
  [/\bR\.?U\.?C\.?:? ?[12]0\d{9}\b|\bSUNAT\b/u, "PE"],
  [/\bTimbrado\b/u, "PY"],
  [/\bITBMS\b/u, "PA"],
  [/\bR\.?N\.?C\.?:? ?\d{3}-?\d{5}-?\d\b/u, "DO"]
]

/** Words that tell languages apart whose countries share the sign `kr`. */
const tongues: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bi alt\b|\bbeløb\b|\bheraf moms\b|\bbetalingsfrist\b|\bmomsbeløb\b|\bkvittering nr\b/iu, "DK"],
  [/\bmva\b|\bbeløp\b|\bå betale\b|\bforfallsdato\b|\bfakturanummer.*kid\b/iu, "NO"],
  [/\bbelopp\b|\batt betala\b|\bförfallo|\bfakturadatum\b|\bsumma\b|\bkvitto\b/iu, "SE"],
  [/\p{sc=Thai}/u, "TH"],
  [/\p{sc=Hangul}/u, "KR"],
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, "JP"],
  // Simplified characters, which neither Japan nor Taiwan writes.
  [/[发额单销购纳识项货价务币总][^]{0,300}?[发额单销购纳识项货价务币总]/u, "CN"],
  [/\p{sc=Hebrew}/u, "IL"],
  [/\bvirðisauk|\bkennitala\b|\bsamtals\b/iu, "IS"]
]

const topLevel = new Map(
  [...countryCurrencies.keys()].map((country) => [country.toLowerCase(), country] as const)
)
topLevel.set("uk", "GB")
/** Domains that people take for what they spell. */
for (const domain of ["co", "ae", "is", "it", "me"]) topLevel.delete(domain)

/** What a document says of the country that it is from. */
export type CountrySign = "iban" | "vatId" | "phone" | "place" | "register" | "domain" | "language"

/** Which signs of countries a document has, by currency: IBANs, VAT numbers, telephone numbers, places, registers. */
export type CountryEvidence = ReadonlyMap<string, Readonly<Partial<Record<CountrySign, number>>>>

/** Countries whose VAT numbers begin with their code; `GST ID 000849812504` is not one of Indonesia's. */
const writesVatIds: ReadonlySet<string> = new Set(
  "AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ")
)

const kindsOfNumbers = [
  ["iban", /\b([A-Z]{2})\d{2} ?[A-Z0-9]{4}[A-Z0-9 ]{8,26}\b/gu],
  ["vatId", /(?<![A-Z0-9])(?!AT ?\d)([A-Z]{2}) ?U?\d{8,12}(?:B\d\d)?\b/gu]
] as const

/** Gathers what a string says of the country that it comes from. */
export const countryEvidenceOf = (text: string, lexicon: Lexicon = lexiconInUse()): CountryEvidence => {
  const found = new Map<string, Partial<Record<CountrySign, number>>>()
  const add = (country: string, kind: CountrySign) => {
    const currency = countryCurrencies.get(country)
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
  for (const country of countriesNamed(text, lexicon)) add(country, "place")
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
  const before = known.get(reading) ?? countryEvidenceOf(reading.text, reading.lexicon)
  known.set(reading, before)
  return before
}
