import type { CountryEvidence } from "../candidates/CountryEvidence.ts"

/** Signs of currencies that are units or types of goods in capitals: 15 FT, 20 DM, 3 DT, a bearing 2RS. */
const units: ReadonlySet<string> = new Set(["FT", "DM", "DT", "RM", "TL", "RS"])

interface SignInRow {
  readonly means: ReadonlyArray<string>
  readonly text: string
  readonly inSum: boolean
}

const isUnit = ({ text }: SignInRow): boolean => {
  const [, sign = ""] = /^\d{1,4}\s?(\p{L}{2})$/u.exec(text) ?? []
  return units.has(sign.toUpperCase())
}

/**
 * The marks without those that are units behind an integer: `NOZZLE 15 FT HALF` is no price in forint. Where the sign is
 * in the row of a sum or with decimals as well, or the document is from a country of the currency, it is one everywhere.
 */
export const withoutUnits = <Mark extends SignInRow>(
  marks: ReadonlyArray<Mark>,
  countries: CountryEvidence
): ReadonlyArray<Mark> => {
  const proven = new Set(marks.filter((mark) => mark.inSum || !isUnit(mark)).flatMap(({ means }) => means))
  return marks.filter(
    (mark) => !isUnit(mark) || mark.means.some((code) => proven.has(code) || countries.has(code))
  )
}
