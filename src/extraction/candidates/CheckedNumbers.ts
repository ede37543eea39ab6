import { stdnum } from "stdnum"

/** The letters that VAT numbers begin with, and the name that `stdnum` has for the number of the country. */
const kinds: Readonly<Record<string, readonly [country: string, kind: string]>> = {
  AT: ["AT", "uid"],
  BE: ["BE", "vat"],
  BG: ["BG", "vat"],
  CHE: ["CH", "uid"],
  CY: ["CY", "vat"],
  CZ: ["CZ", "dic"],
  DE: ["DE", "vat"],
  DK: ["DK", "cvr"],
  EE: ["EE", "kmkr"],
  EL: ["GR", "vat"],
  ES: ["ES", "nif"],
  FI: ["FI", "alv"],
  FR: ["FR", "tva"],
  GB: ["GB", "vat"],
  HR: ["HR", "oib"],
  HU: ["HU", "anum"],
  IE: ["IE", "vat"],
  IT: ["IT", "iva"],
  LT: ["LT", "pvm"],
  LU: ["LU", "tva"],
  LV: ["LV", "pvn"],
  MT: ["MT", "vat"],
  NL: ["NL", "btw"],
  PL: ["PL", "nip"],
  PT: ["PT", "nif"],
  RO: ["RO", "cui"],
  SE: ["SE", "vat"],
  SI: ["SI", "ddv"],
  SK: ["SK", "dph"]
}

const compact = (text: string): string => text.toUpperCase().replace(/[\s./-]/gu, "")

const vatShape = /^(CHE|[A-Z]{2})([A-Z0-9]{2,13})$/u

/** How a string is as a VAT number: with right check digits, with wrong ones, or not at all. */
export type Check = "valid" | "shaped" | "none"

/** Looks at a string as a VAT number with its country: `DE136695976`, `CHE-123.456.789 MWST`. */
export const checkVatId = (text: string): Check => {
  const [, prefix = "", rest = ""] = vatShape.exec(compact(text)) ?? []
  const [country, kind] = kinds[prefix] ?? []
  if (country === undefined || kind === undefined) return "none"
  const digits = rest.replace(/\D/gu, "").length
  if (digits < 7 || rest.length < 8) return "none"
  return stdnum[country]?.[kind]?.validate(prefix === "CHE" ? prefix + rest : rest).isValid === true
    ? "valid"
    : "shaped"
}

/** Tax numbers that are usual without the country in front. */
const national: ReadonlyArray<string> = ["PL", "IT", "ES", "PT", "DK", "GB", "SE", "NL"]

/** Whether a string is the VAT number of some country, which it does not name: the NIF, NIP or partita IVA. */
export const isNationalVatId = (text: string): boolean => {
  const number = compact(text)
  return (
    /^[A-Z]?\d{7,11}[A-Z]?(?:B\d\d)?$/u.test(number) &&
    national.some((prefix) => checkVatId(prefix + number) === "valid")
  )
}

/** Lengths of IBANs in the countries that write them, as SWIFT's registry says. */
const lengths = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 " +
    "FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 " +
    "MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TN24 TR26 " +
    "UA29 VA22 VG24 XK20"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const)
)

/** The characters an IBAN has that begins so; undefined where no country's does. */
export const ibanLength = (text: string): number | undefined => lengths.get(text.slice(0, 2))

/** Whether a string without spaces is an IBAN with the right check digits (ISO 13616; modulo 97 of ISO 7064). */
export const isIban = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/u.test(text) || text.length !== ibanLength(text)) return false
  let rest = 0
  for (const letter of text.slice(4) + text.slice(0, 4)) {
    for (const digit of String(Number.parseInt(letter, 36))) rest = (rest * 10 + Number(digit)) % 97
  }
  return rest === 1
}
