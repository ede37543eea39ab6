import { Formatter, Logger } from "effect"

const plain: ReadonlySet<string> = new Set(["string", "number", "boolean"])

/** Whether nothing in these values could be a secret, an error, or something that JSON lacks. */
const arePlain = (values: ReadonlyArray<unknown>): boolean => values.every((value) => plain.has(typeof value))

/**
 * A line of the log in JSON, as `Logger.formatJson` writes it. That one looks for secrets and errors in every object of a line,
 * which most lines need not pay for.
 */
export const formatJsonLine = Logger.map(Logger.formatStructured, (entry) =>
  arePlain([entry.message, ...Object.values(entry.annotations)])
    ? JSON.stringify(entry)
    : Formatter.formatJson(entry)
)
