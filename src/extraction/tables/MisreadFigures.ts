import { type Cells, isConsistent, type RowFigures, textOf, timesOf } from "./TableRow.ts"

/** A figure of a row that was not read as the row's other two say it is. */
export interface MendedFigure {
  readonly name: "quantity" | "unitPrice" | "amount"
  /** What was recognised; undefined where nothing was. */
  readonly read?: number
  readonly value: number
}

/** Recognition less sure than this misreads digits. */
const leastRecognised = 0.9
/** Figures follow from others only if they are printable with as many decimals. */
const mostDecimals = 2

/** A row that was recognised. */
interface RecognisedRow extends RowFigures {
  readonly cells: Cells
}

const names = ["quantity", "unitPrice", "amount"] as const

const digitsOf = (text: string): string => text.replace(/\D/gu, "")

/** The ways in which a number may be printed, without separators. */
const printsOf = (value: number): ReadonlyArray<string> =>
  [0, 1, 2]
    .filter((decimals) => Math.abs(Number(value.toFixed(decimals)) - value) < 1e-9)
    .map((decimals) => digitsOf(value.toFixed(decimals)))

const differInOne = (a: string, b: string): boolean =>
  a.length === b.length && [...a].filter((digit, at) => digit !== b[at]).length === 1

/** What a figure must be for the row to add up. */
const followsFrom = (
  name: MendedFigure["name"],
  { amount, quantity, unitPrice }: Record<MendedFigure["name"], number>
): number => {
  const exact =
    name === "amount" ? quantity * unitPrice : amount / (name === "quantity" ? unitPrice : quantity)
  return Number(exact.toFixed(mostDecimals))
}

/** Whether a quantity has a digit too many: the unit behind it (`8 l` as `81`, `2,5 ó` as `2,56`), or a border of its cell. */
const hasOneMore = (printed: string, read: string): boolean =>
  read.length === printed.length + 1 &&
  ((read.startsWith(printed) && !read.endsWith("0")) || read === `1${printed}`)

/**
 * Whether recognition may have read what is printed for a number as this: without its decimal separator, with one wrong digit, or
 * a quantity with what is next to it.
 */
const mayBeRead = (text: string, { name, value }: MendedFigure, sureness: number): boolean => {
  const read = digitsOf(text)
  const lostSeparator = !/\d[.,]\d{1,2}(?!\d)/u.test(text)
  return printsOf(value).some(
    (printed) =>
      (lostSeparator && printed === read) ||
      (sureness < leastRecognised && differInOne(printed, read)) ||
      (name === "quantity" && hasOneMore(printed, read))
  )
}

/** Whether a figure is many times too large because prices are for 100 or 1,000 pieces: another figure of the row says so, or pieces are whole. */
const isPerMany = ({ others }: RowFigures, { name, read = 0, value }: MendedFigure): boolean => {
  const times = Math.round(read / value)
  return (
    [100, 1000].includes(times) &&
    (others.some((other) => other.value === times) || (name === "quantity" && Number.isInteger(value)))
  )
}

/** The one figure of a row that recognition may have read wrong, if the other two say what it is. */
const misreadFigure = (item: RecognisedRow): MendedFigure | undefined => {
  const { amount, quantity, unitPrice } = item.values
  if (typeof amount !== "number" || typeof quantity !== "number" || typeof unitPrice !== "number")
    return undefined
  if (quantity === 0 || unitPrice === 0 || isConsistent(item) !== false) return undefined
  const figures = { amount, quantity, unitPrice }
  const [only, ...more] = names.flatMap((name): ReadonlyArray<MendedFigure> => {
    const tokens = item.cells.get(name) ?? []
    const sureness = Math.min(...tokens.map(({ confidence = 1 }) => confidence))
    const value = followsFrom(name, figures)
    const mended = { ...item, values: { ...item.values, [name]: value } }
    const figure = { name, read: figures[name], value }
    return isConsistent(mended) === true &&
      mayBeRead(textOf(tokens), figure, sureness) &&
      !isPerMany(item, figure)
      ? [figure]
      : []
  })
  return more.length === 0 ? only : undefined
}

/** An item with the figure that recognition read wrong as the others say it is. */
export const withMendedFigure = <A extends RecognisedRow>(
  item: A
): A & { readonly mended?: MendedFigure } => {
  const mended = misreadFigure(item)
  if (mended === undefined) return item
  return Object.assign({}, item, { values: { ...item.values, [mended.name]: mended.value }, mended })
}

/** Whether the figures of a recognised row add up once the one that was lost or misread is mended. */
export const addsUpMended = (row: RecognisedRow): boolean => {
  const isRecognised = [...row.cells.values()].flat().some(({ confidence }) => confidence !== undefined)
  if (!isRecognised) return false
  return row.values["quantity"] === null
    ? timesOf(row.values) !== undefined
    : misreadFigure(row) !== undefined
}
