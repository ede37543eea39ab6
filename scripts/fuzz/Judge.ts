import { Predicate } from "effect"
import { Ajv2020 } from "ajv/dist/2020.js"
import { isPathOf, type OpenApiDocument, type Operation } from "./OpenApiDocument.ts"
import type { Answer, Incoming, Outgoing } from "./Send.ts"

/** Statuses that HTTP itself may answer with, whatever the operation. */
const ofHttp = new Set([405, 408, 413, 415, 431])

const envelope = {
  type: "object",
  required: ["error"],
  additionalProperties: false,
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      additionalProperties: false,
      properties: {
        code: { type: "string", pattern: "^[A-Z_]+$" },
        message: { type: "string", minLength: 1 },
        details: { type: "object" }
      }
    }
  }
}

const leaks =
  /node_modules|\bat [\w.]+ \(|file:\/\/|SqlError|\bselect .* from\b|\binsert into\b|pglite|ECONN|ENOENT/u

const pointer = (...parts: ReadonlyArray<string>): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

/** The names of the headers that an answer always has. */
const alwaysThere = (headers: Readonly<Record<string, unknown>> = {}): ReadonlyArray<string> =>
  Object.entries(headers).flatMap(([name, header]) =>
    Predicate.hasProperty(header, "required") && header.required === false ? [] : name
  )

const headerProblem = (names: ReadonlyArray<string>, answer: Answer) => {
  const missing = names.filter((name) => answer.headers[name.toLowerCase()] === undefined)
  return missing.length === 0 ? undefined : `${answer.status} lacks ${missing.join(", ")}`
}

const errorProblem = (answer: Answer): string | undefined => {
  if (answer.status < 400) return undefined
  const message = Predicate.isObject(answer.body) ? JSON.stringify(answer.body) : answer.text
  const found = leaks.exec(message)?.[0]
  return found === undefined ? undefined : `the error tells of the inside: ${found}`
}

const isDecodable = (path: string): boolean => {
  try {
    return decodeURIComponent(path) !== ""
  } catch {
    return false
  }
}

/** Holds answers against the document: gives what is wrong with one, or undefined. */
export const judgeBy = (document: OpenApiDocument) => {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
  ajv.addSchema({ ...document.served, $id: "openapi" })
  const isEnvelope = ajv.compile(envelope)

  const bodyProblem = (operation: Operation, status: string, answer: Answer) => {
    const content = operation.responses[status]?.content
    if (content === undefined) return answer.text === "" ? undefined : `${status} has a body`
    const type = String(answer.headers["content-type"]).split(";")[0] ?? ""
    if (content[type] === undefined) return `${status} has the content type ${type}`
    if (type !== "application/json") return undefined
    const path = ["paths", operation.path, operation.method.toLowerCase(), "responses", status]
    const validate = ajv.getSchema(`openapi#${pointer(...path, "content", type, "schema")}`)
    if (validate === undefined) return `the document has no schema for ${status}`
    return validate(answer.body) === true
      ? undefined
      : `the body of ${status} does not conform: ${ajv.errorsText(validate.errors)}`
  }

  /** With an empty id, `GET /flows/` is `GET /flows`. */
  const reached = (meant: Operation, method: string, path: string): Operation =>
    path.endsWith("/")
      ? (document.operations.find(
          (other) => other.method === method && isPathOf(other.path, path.replace(/\/+$/u, ""))
        ) ?? meant)
      : meant

  return (meant: Operation, sent: Outgoing, answer: Incoming): string | undefined => {
    if (answer._tag === "Nothing") return `no answer: ${answer.reason}`
    const status = String(answer.status)
    const path = sent.path.split("?")[0] ?? ""
    const operation = reached(meant, sent.method, path)
    const leaked = errorProblem(answer)
    if (leaked !== undefined) return leaked
    if (answer.status >= 500 && answer.status !== 503 && answer.status !== 504) return `status ${status}`
    const common = Object.keys(operation.responses["500"]?.headers ?? {})
    const isElsewhere = !isPathOf(operation.path, path) || !isDecodable(path)
    if (ofHttp.has(answer.status) || (isElsewhere && answer.status === 404)) {
      return isEnvelope(answer.body)
        ? headerProblem(common, answer)
        : `the body of ${status} does not conform: ${ajv.errorsText(isEnvelope.errors)}`
    }
    const documented = operation.responses[status]
    if (documented === undefined) return `status ${status} is not documented`
    return headerProblem(alwaysThere(documented.headers), answer) ?? bodyProblem(operation, status, answer)
  }
}
