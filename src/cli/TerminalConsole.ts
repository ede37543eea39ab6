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
