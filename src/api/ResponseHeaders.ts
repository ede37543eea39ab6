import { Predicate } from "effect"

const integer = (description: string) => ({ description, required: true, schema: { type: "integer" } })

const rateHeaders = {
  "X-RateLimit-Limit": integer("Requests allowed in a window of 60 seconds."),
  "X-RateLimit-Remaining": integer("Requests left in the window."),
  "X-RateLimit-Reset": integer("When the window resets, in Unix seconds.")
}
const requestId = {
  "X-Request-Id": {
    description: "Unique id of the request. Include it in bug reports.",
    required: true,
    schema: { type: "string" }
  }
}
const retryAfter = { "Retry-After": integer("Seconds after which to try again.") }

/** Adds the headers of every response to an OpenAPI document, and removes errors that are listed twice. */
export const describeResponses = (document: Record<string, unknown>): Record<string, unknown> => ({
  ...document,
  paths: mapValues(document["paths"], (path, operations) =>
    mapValues(operations, (_method, operation) =>
      mapMember(operation, "responses", (responses) =>
        mapValues(responses, (status, response) => describeResponse(path, status, response))
      )
    )
  )
})

const describeResponse = (path: string, status: string, response: unknown): unknown => ({
  ...membersOf(mapMember(response, "content", dedupe)),
  headers: {
    ...requestId,
    ...(path.startsWith("/api/v1") ? rateHeaders : {}),
    ...(status === "429" || status === "503" ? retryAfter : {})
  }
})

/** An endpoint and its middleware may name the same error, which is described once. */
const dedupe = (content: unknown): unknown =>
  mapValues(content, (_type, media) =>
    mapMember(media, "schema", (schema) => {
      const choices = Predicate.isObject(schema) ? Reflect.get(schema, "anyOf") : undefined
      if (!Array.isArray(choices)) return schema
      const different = [...new Map(choices.map((choice) => [JSON.stringify(choice), choice])).values()]
      return different.length === 1 ? different[0] : { ...membersOf(schema), anyOf: different }
    })
  )

const membersOf = (value: unknown): object => (Predicate.isObject(value) ? value : {})

const mapValues = (value: unknown, map: (name: string, part: unknown) => unknown): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(name, part)]))
    : value

const mapMember = (value: unknown, name: string, map: (part: unknown) => unknown): unknown =>
  Predicate.isObject(value) && Object.hasOwn(value, name)
    ? { ...value, [name]: map(Reflect.get(value, name)) }
    : value
