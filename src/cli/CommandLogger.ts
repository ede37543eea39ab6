import { Cause, Logger, Predicate } from "effect"
import { inspect } from "node:util"

const beginning = (level: string): string => {
  if (level === "Warn") return "warning: "
  return level === "Error" || level === "Fatal" ? "error: " : ""
}

const shown = (part: unknown): string => (Predicate.isString(part) ? part : inspect(part))

const formatForPeople = Logger.make<unknown, string>(({ cause, logLevel, message }) => {
  const parts = Array.isArray(message) ? message : [message]
  const why = cause.reasons.length === 0 ? [] : [Cause.pretty(cause)]
  return beginning(logLevel) + [...parts, ...why].map(shown).join(": ")
})

/**
 * Logs as a command does, for the person who typed it: the message, and what it is unless it only informs. To standard
 * error: standard output belongs to the command's result, which a program may parse.
 */
export const layerCommandLogger = Logger.layer([Logger.withConsoleError(formatForPeople)])
