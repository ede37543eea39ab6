import type { Console } from "effect"
import { isColoured } from "./Colour.ts"

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
