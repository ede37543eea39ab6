import type { Console } from "effect"
import { isColoured } from "./Colour.ts"

/** Columns of a terminal that does not say how many it has. */
const usualColumns = 80

/** Shows a line of progress, redrawn in place; nothing if standard error is not a terminal. */
export const showProgress = (quiet: boolean) => {
  const isShown = process.stderr.isTTY && !quiet
  return {
    show: (text: string): void => {
      if (!isShown) return
      // A line that wraps could not be redrawn in place.
      const most = Math.max(20, (process.stderr.columns || usualColumns) - 1)
      process.stderr.write(`\r\u001B[K${printable(text).slice(0, most)}`)
    },
    clear: (): void => {
      if (isShown) process.stderr.write("\r\u001B[K")
    }
  }
}

/** A color or weight of text, or a control character other than a tab and a line break. */
const control = /(\p{Cc}\[(?:[0-4]|22|3[0-7]|9[0-7])?m)|(?![\t\n])\p{Cc}/gu

/**
 * Text for a terminal. Names of files and text of documents come from strangers and may contain sequences that move the cursor or
 * change the terminal: their control characters become `\u001b`, which is what JSON has for them.
 */
export const printable = (text: string): string =>
  text.replace(control, (found, color: string | undefined) =>
    color?.startsWith("\u001B") === true && isColoured()
      ? color
      : found.replace(/[^ -~]/u, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
  )

const printableOf = (part: unknown): unknown => (typeof part === "string" ? printable(part) : part)

/** A console that prints everything so that it is printable. */
export const withPrintable = (to: Console.Console): Console.Console => ({
  ...to,
  log: (...parts) => to.log(...parts.map(printableOf)),
  error: (...parts) => to.error(...parts.map(printableOf))
})

/** The width of a string on a terminal: East Asian characters take two columns, combining marks none. */
const widthOf = (text: string): number =>
  [...text.replace(/\p{M}/gu, "")].reduce(
    (sum, character) =>
      sum +
      (/[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]/u.test(
        character
      )
        ? 2
        : 1),
    0
  )

const isNumeric = (text: string): boolean => /^[-–]?$|^-?[\d.,]+ ?%?$/u.test(text)

/** Rows as lines with aligned columns; the first row is the header. Columns of numbers are aligned to the right. */
export const textTable = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const cells = Array.from({ length: columns }, (_, column) => rows.map((row) => row[column] ?? ""))
  const widths = cells.map((column) => Math.max(...column.map(widthOf)))
  const toRight = cells.map(([, ...column]) => column.length > 0 && column.every(isNumeric))
  return rows.map((row) =>
    widths
      .map((width, column) => {
        const text = row[column] ?? ""
        const padding = " ".repeat(width - widthOf(text))
        return toRight[column] === true ? padding + text : text + padding
      })
      .join("  ")
      .trimEnd()
  )
}
