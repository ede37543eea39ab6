import { Predicate } from "effect"

type Json = { readonly [name: string]: unknown }

const membersOf = (value: unknown): Json => (Predicate.isObject(value) ? { ...value } : {})

const change = (value: unknown, name: string, map: (part: Json) => unknown): Json => {
  const members = membersOf(value)
  return Object.hasOwn(members, name) ? { ...members, [name]: map(membersOf(members[name])) } : members
}

const etag = { description: "Names the content: send it as `If-None-Match`.", schema: { type: "string" } }
const ifNoneMatch = {
  name: "if-none-match",
  in: "header",
  required: false,
  description: "The `ETag` of the content that the caller has: 304 if it is still the same.",
  schema: { type: "string" }
}

const tagged = ["/api/v1/flows", "/api/v1/flows/{flowId}", "/api/v1/runs/{executionId}"]

/** An operation whose responses have an `ETag`. */
const withTag = (operation: Json): Json => {
  const answers = change(operation["responses"], "200", (ok) => ({
    ...ok,
    headers: { ...membersOf(ok["headers"]), ETag: etag }
  }))
  const { headers } = membersOf(answers["200"])
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : []
  return {
    ...operation,
    parameters: [...parameters, ifNoneMatch],
    responses: { ...answers, "304": { description: "The caller has this content already.", headers } }
  }
}

/** A document is sent, or given by its URL. */
const byUrl = (schema: Json): Json => {
  const { required: _, ...rest } = schema
  const url = {
    type: "string",
    format: "uri",
    maxLength: 2048,
    description: "Instead of `base64`: a public https address from which the service fetches the document."
  }
  return {
    ...rest,
    properties: { ...membersOf(schema["properties"]), url },
    oneOf: [{ required: ["base64"] }, { required: ["url"] }]
  }
}

/** What an execution has in a state, besides what every execution has. */
const states = [
  { status: ["pending", "running"], required: [] },
  { status: ["completed"], required: ["completedAt", "metrics"] },
  { status: ["failed"], required: ["completedAt", "error"] },
  { status: ["cancelled"], required: ["cancelledAt"] }
]

/** An execution has the members of its state. Lists leave out its output, and so does an execution whose output has expired. */
const byState = (schema: Json): Json => ({
  ...schema,
  oneOf: states.map(({ required, status }) => ({
    properties: { status: { type: "string", enum: status } },
    required: ["status", ...required]
  }))
})

const text = (description: string) => ({ type: "string", description })

/** A run as a form, as curl and browsers send files. */
const form = {
  schema: {
    type: "object",
    required: ["document"],
    properties: {
      document: { type: "string", format: "binary", description: "The file, with its name and type." },
      input: text("`input` without its document, as JSON; for its `variables`."),
      metadata: text("JSON."),
      version: text("A version of the flow; the latest when absent."),
      wait: { type: "string", enum: ["true", "false"] },
      timeout: text("Milliseconds."),
      idempotencyKey: text("As in JSON."),
      webhookUrl: text("As in JSON."),
      webhookSecret: text("As in JSON."),
      webhookEvents: text("A JSON array of the events.")
    }
  }
}

/** The run accepts a form in place of JSON. */
const withForm = (operation: Json): Json =>
  change(operation, "requestBody", (body) =>
    change(body, "content", (content) => ({ ...content, "multipart/form-data": form }))
  )

/** Describes what HTTP adds to the contract: documents by URL or in a form, and `ETag` with 304. */
export const describeComforts = (document: Json): Record<string, unknown> => ({
  ...document,
  paths: change(
    tagged.reduce<Json>(
      (paths, path) => change(paths, path, (operations) => change(operations, "get", withTag)),
      membersOf(document["paths"])
    ),
    "/api/v1/flows/{flowId}/run",
    (operations) => change(operations, "post", withForm)
  ),
  components: change(document["components"], "schemas", (schemas) =>
    change(change(schemas, "DocumentInput", byUrl), "Execution", byState)
  )
})
