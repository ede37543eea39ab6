import { Cause, type Config, Effect, Predicate, SchemaIssue } from "effect"
import { innermost } from "../support/Innermost.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Why the service did not start, and what to do about it. */
export const describeStartProblem = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (isConfigError(error)) return describeSetting(error)
  const message = Predicate.isError(error) ? error.message : String(error)
  if (!Predicate.isError(error)) return message
  const root = innermost(error)
  if (Predicate.isTagged(error, "ServeError") && isOfHost(root))
    return `DOCFLOW_HOST: ${root.message}. Set it to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all`
  if (Predicate.hasProperty(root, "code") && root.code === "EADDRINUSE")
    return `${root.message}. Stop the program that listens there, or set DOCFLOW_PORT to another port`
  if (root.message === message) return message
  if (message === "") return root.message
  return `${message}: ${root.message}`
}

/** Whether listening failed because of the address. */
const isOfHost = (root: unknown): boolean =>
  Predicate.hasProperty(root, "code") &&
  ["EADDRNOTAVAIL", "EAI_AGAIN", "EINVAL", "ENOTFOUND"].includes(String(root.code))

const isConfigError = (error: unknown): error is Config.ConfigError =>
  Predicate.isTagged(error, "ConfigError")

/** `DOCFLOW_PORT: Expected a finite number`, a line for each setting. */
const describeSetting = ({ cause }: Config.ConfigError): string =>
  cause._tag === "SchemaError"
    ? format(cause.issue)
        .issues.map(({ message, path }) => `${(path ?? []).map(String).join(".")}: ${message}`)
        .join("\n")
    : cause.message

/** Prints why the effect failed, and fails. An interruption is not a problem. */
export const reportStartProblem = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(effect, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : Effect.sync(() => process.stderr.write(`docflow: ${describeStartProblem(cause)}\n`))
  )
