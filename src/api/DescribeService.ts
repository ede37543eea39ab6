import { Predicate } from "effect"
import { describeWebhooks } from "./DescribeWebhooks.ts"
import { defined } from "../support/Defined.ts"

/** Example messages, as the service writes them, by code. */
const messages: Readonly<Record<string, { readonly message: string; readonly details?: object }>> = {
  UNAUTHORIZED: { message: "Missing authorization header" },
  INVALID_API_KEY: { message: "Invalid API key" },
  FORBIDDEN: { message: "API key missing required scope: flows:execute" },
  INVALID_INPUT: {
    message: "Document base64 data is required",
    details: { field: "input.document.base64", reason: "required" }
  },
  VALIDATION_ERROR: {
    message: "Invalid timeout: it must be between 1 and 60000",
    details: { field: "timeout", reason: "it must be between 1 and 60000" }
  },
  MISSING_REQUIRED_FIELD: {
    message: "input.variables.customer is required",
    details: { field: "input.variables.customer", reason: "required" }
  },
  INVALID_DOCUMENT: { message: "The document is encrypted" },
  FLOW_NOT_FOUND: { message: "Flow not found: invioce" },
  VERSION_NOT_FOUND: { message: "Version not found: 9.9.9" },
  EXECUTION_NOT_FOUND: { message: "Execution not found: exec_1" },
  INSUFFICIENT_CREDITS: { message: "Insufficient credits: 3 required, 1 available" },
  SUBSCRIPTION_REQUIRED: { message: "The flow needs the plan pro" },
  EXECUTION_TIMEOUT: {
    message: "The execution did not end within 30000 ms",
    details: { executionId: "exec_01KAGZ3W6T9S0M4Y7Q2N5B8CDE" }
  },
  ALREADY_CANCELLED: { message: "The execution was already cancelled" },
  NOT_CANCELLABLE: { message: "The execution has already completed" },
  RATE_LIMITED: {
    message: "Rate limit exceeded: at most 100 requests a minute. Retry in 12 seconds",
    details: { retryAfter: 12 }
  },
  CONCURRENT_LIMIT: { message: "Too many concurrent executions: at most 5" },
  INTERNAL_ERROR: {
    message: "An unexpected error occurred",
    details: { requestId: "req_01KAGZ3W6T9S0M4Y7Q2N5B8CDE" }
  },
  SERVICE_UNAVAILABLE: { message: "Too many requests are being received; try again in a second" }
}

/** The `examples` of the schema of an error, which is named `Error_` and the code; nothing for other schemas. */
const exampleErrors = (schema: string): { readonly examples?: ReadonlyArray<unknown> } => {
  const code = schema.replace(/^Error_/u, "")
  const example = code === schema ? undefined : messages[code]
  return example === undefined ? {} : { examples: [{ error: { code, ...example } }] }
}

type Json = { readonly [name: string]: unknown }

const bearer = (description: string) => ({ type: "http", scheme: "bearer", description })
const securitySchemes = {
  bearer: bearer("An API key, such as `df_live_…`."),
  adminToken: bearer(
    "The admin token of the installation, or the token of a user's session, for `/api/admin/v1`."
  )
}
const servers = [{ url: "/", description: "The service that this document comes from." }]
const tags: Json = {
  Flows: "List, read and run flows.",
  Executions: "Read, follow, cancel, replay and compare executions.",
  Administration: "Organizations, keys, credits, executions and deliveries, for operators."
}

/** Adds what Effect's description of the endpoints leaves out, so that clients and linters can use the document. */
export const describeService = (document: Json): Record<string, unknown> => ({
  ...document,
  info: { ...membersOf(document["info"]), license: { name: "MIT", identifier: "MIT" } },
  servers: document["servers"] ?? servers,
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: mapValues(document["paths"], (path, operations) =>
    mapValues(operations, (_, operation) => describeOperation(path, membersOf(operation)))
  ),
  webhooks: describeWebhooks,
  components: {
    ...membersOf(mapSchemas(document["components"], "")),
    schemas: mapValues(membersOf(document["components"])["schemas"], (name, schema) => ({
      ...membersOf(mapSchemas(schema, "")),
      ...exampleErrors(name)
    })),
    securitySchemes
  }
})

const describeOperation = (path: string, operation: Json): Json => ({
  description: `${String(operation["summary"])}.`,
  ...membersOf(mapSchemas(operation, "")),
  ...(path.startsWith("/api/admin/") && listOf(operation["security"]).length > 0
    ? { security: [{ adminToken: [] }] }
    : {}),
  parameters: listOf(operation["parameters"]).map((parameter) => describeParameter(membersOf(parameter))),
  responses: {
    ...membersOf(
      mapValues(operation["responses"], (status, response) =>
        describeResponse(path, status, membersOf(response))
      )
    ),
    ...moreResponses(operation["requestBody"] !== undefined)
  }
})

/** Query parameters are strings on the wire; these represent numbers. */
const pages: Json = {
  limit: { type: "integer", minimum: 1, default: 50 },
  offset: { type: "integer", minimum: 0, maximum: 1_000_000_000, default: 0 }
}

const describeParameter = (parameter: Json): Json => {
  const { description, ...schema } = membersOf(parameter["schema"])
  const { anyOf, ...rest } = schema
  const [only, ...others] = listOf(anyOf)
  const single = anyOf !== undefined && others.length === 0 ? { ...rest, ...membersOf(only) } : schema
  return {
    ...parameter,
    ...defined({ description }),
    schema: pages[String(parameter["name"])] ?? single
  }
}

const header = (description: string, type = "string") => ({ description, schema: { type } })

const describeResponse = (path: string, status: string, response: Json): Json => {
  const isRun = path.endsWith("/run") || path.endsWith("/replay")
  const { "text/event-stream": stream, ...content } = membersOf(response["content"])
  const { example, ...media } = membersOf(stream)
  return {
    ...membersOf(mapSchemas(response, "")),
    // The schema describes one event, so the text of a whole stream is not an example of it.
    ...(stream === undefined
      ? {}
      : {
          description: `A stream of events, such as\n\n\`\`\`text\n${String(example)}\n\`\`\``,
          content: { ...content, "text/event-stream": media }
        }),
    headers: {
      ...membersOf(response["headers"]),
      ...(status === "401" ? { "WWW-Authenticate": header("Always `Bearer`.") } : {}),
      ...(status === "200" && isRun
        ? {
            "Idempotent-Replayed": {
              ...header("`true` when an earlier request made this execution."),
              required: false
            }
          }
        : {})
    }
  }
}

const refusal = (description: string, headers: Json = {}) => ({
  description,
  headers: { "X-Request-Id": header("Name it when you report a problem."), ...headers },
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error_INVALID_INPUT" } } }
})

/** Responses to requests that never reach an endpoint's own code. */
const moreResponses = (hasBody: boolean): Json => ({
  405: refusal("Another method at this path.", { Allow: header("The methods that are allowed.") }),
  408: refusal("The request arrives too slowly."),
  ...(hasBody
    ? {
        413: refusal("The body is too large."),
        415: refusal("`Content-Type` is not `application/json`, or the body is compressed.")
      }
    : {})
})

const isTime = (name: string): boolean => /(?:At|^at|^timestamp)$/u.test(name)

/**
 * In every schema, strings that hold a time say so, and an object without fields may have any (generators of clients
 * would take it for an empty one).
 */
const mapSchemas = (part: unknown, name: string): unknown => {
  if (Array.isArray(part)) return part.map((one) => mapSchemas(one, name))
  if (!Predicate.isObject(part)) return part
  const changed = membersOf(
    mapValues(part, (member, value) =>
      kept.has(member) ? value : mapSchemas(value, keyword.has(member) ? name : member)
    )
  )
  const { type } = changed
  if (type === "string" && isTime(name)) return { ...changed, format: "date-time" }
  const isFree = type === "object" && !("properties" in changed) && !("additionalProperties" in changed)
  return isFree ? { ...changed, additionalProperties: true } : changed
}
/** Keywords that hold values, not schemas. */
const kept = new Set(["examples", "example", "enum", "const", "default", "required"])
const keyword = new Set(["anyOf", "oneOf", "allOf"])

const membersOf = (value: unknown): Json => (Predicate.isObject(value) ? { ...value } : {})

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const mapValues = (value: unknown, map: (name: string, part: unknown) => unknown): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(name, part)]))
    : value
