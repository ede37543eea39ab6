import { Predicate } from "effect"
import type { CellEvidence, FieldEvidence } from "../domain/Evidence.ts"

type Evidence = { readonly [name: string]: FieldEvidence }

const mostDecimals = 4
const digitsOf = (text: string): string => text.replace(/\D/gu, "").replace(/^0+/u, "")

/** How many decimals a number is printed with: as many as give the digits of its text. */
const decimalsIn = (value: number, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const digits = digitsOf(text)
  const decimals = Array.from({ length: mostDecimals + 1 }, (_, count) => count)
  return decimals.find(
    (count) => Number(value.toFixed(count)) === value && digitsOf(value.toFixed(count)) === digits
  )
}

const fixed = (value: unknown, decimals: number | undefined): unknown =>
  typeof value === "number" && decimals !== undefined ? value.toFixed(decimals) : value

const asInText = (value: unknown, text: string | undefined): unknown =>
  typeof value === "number" ? fixed(value, decimalsIn(value, text)) : value

const rowAsPrinted = (row: unknown, cells: Readonly<Record<string, CellEvidence>> = {}): unknown =>
  Predicate.isObject(row) && !Array.isArray(row)
    ? Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, asInText(value, cells[name]?.text)])
      )
    : row

/** A number that follows from others has as many decimals as any of them, if that changes nothing of it. */
const likeOthers = (value: unknown, decimals: number): unknown =>
  typeof value === "number" && Number(value.toFixed(decimals)) === value ? value.toFixed(decimals) : value

/** An output whose numbers have the decimals they are printed with in the document: `10350.00` for `10.350,00 €`. */
export const withPrintedNumbers = (output: object, fields: Evidence): object => {
  const most = Math.max(
    0,
    ...Object.values(fields).map(({ text, value }) =>
      typeof value === "number" ? (decimalsIn(value, text) ?? 0) : 0
    )
  )
  return Object.fromEntries(
    Object.entries(output).map(([name, value]): [string, unknown] => {
      const evidence = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (Array.isArray(value))
        return [name, value.map((row: unknown, index) => rowAsPrinted(row, evidence?.cells?.[index]))]
      return [
        name,
        evidence?.status === "inferred" ? likeOthers(value, most) : asInText(value, evidence?.text)
      ]
    })
  )
}
