import { Predicate, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { describe, expect, test } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { Api } from "../../src/api/Api.ts"
import { exampleCancelled, exampleExecution, exampleFlow, exampleFlowItem } from "../../src/api/Examples.ts"
import { apiErrors } from "../../src/domain/Errors.ts"
import { Execution } from "../../src/domain/Execution.ts"
import { FlowDetail, FlowItem } from "../../src/domain/FlowItem.ts"
import { at, listAt, namesOf } from "../support/Json.ts"

const document: unknown = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

/** Follows `$ref`s. */
const resolve = (schema: unknown): unknown => {
  const ref = at(schema, "$ref")
  return typeof ref === "string" ? resolve(at(document, ref.slice(2).replaceAll("/", "."))) : schema
}

/** Every value that `error.code` may have in a schema. */
const codesIn = (schema: unknown): ReadonlyArray<string> => {
  const resolved = resolve(schema)
  for (const union of ["anyOf", "oneOf"]) {
    const parts = at(resolved, union)
    if (Array.isArray(parts)) return parts.flatMap(codesIn)
  }
  const code = resolve(at(resolve(at(resolved, "properties.error")), "properties.code"))
  const values = at(code, "enum") ?? [at(code, "const")]
  return Array.isArray(values) ? values.map(String) : []
}

const operation = (method: string, path: string): unknown => {
  const paths = at(document, "paths")
  return Predicate.isObject(paths) ? at(Reflect.get(paths, `/api/v1${path}`), method) : undefined
}

const codesOf = (method: string, path: string): ReadonlyArray<string> => {
  const responses = at(operation(method, path), "responses")
  return namesOf(responses)
    .filter((status) => !status.startsWith("2"))
    .flatMap((status) => {
      const content = at(resolve(at(responses, status)), "content")
      const schema = Predicate.isObject(content)
        ? at(Reflect.get(content, "application/json"), "schema")
        : undefined
      return codesIn(schema).map((code) => `${status} ${code}`)
    })
}

const parameters = (method: string, path: string) =>
  listAt(operation(method, path), "parameters").map((entry) => `${at(entry, "in")} ${at(entry, "name")}`)

/** What the specification lists for each operation. */
const specified: ReadonlyArray<readonly [string, string, string, ReadonlyArray<string>]> = [
  ["get", "/flows", "flows:read", ["401 UNAUTHORIZED", "403 FORBIDDEN", "429 RATE_LIMITED"]],
  [
    "get",
    "/flows/{flowId}",
    "flows:read",
    ["401 UNAUTHORIZED", "403 FORBIDDEN", "404 FLOW_NOT_FOUND", "404 VERSION_NOT_FOUND", "429 RATE_LIMITED"]
  ],
  [
    "post",
    "/flows/{flowId}/run",
    "flows:execute",
    [
      "400 INVALID_INPUT",
      "401 UNAUTHORIZED",
      "402 INSUFFICIENT_CREDITS",
      "403 FORBIDDEN",
      "404 FLOW_NOT_FOUND",
      "404 VERSION_NOT_FOUND",
      "422 VALIDATION_ERROR",
      "422 INVALID_DOCUMENT",
      "429 RATE_LIMITED",
      "429 CONCURRENT_LIMIT",
      "504 EXECUTION_TIMEOUT",
      // Not in the operation's list, but of the error table and the decisions.
      "402 SUBSCRIPTION_REQUIRED",
      "422 MISSING_REQUIRED_FIELD"
    ]
  ],
  [
    "get",
    "/runs/{executionId}",
    "executions:read",
    ["401 UNAUTHORIZED", "403 FORBIDDEN", "404 EXECUTION_NOT_FOUND", "429 RATE_LIMITED"]
  ],
  [
    "post",
    "/runs/{executionId}/cancel",
    "executions:cancel",
    [
      "401 UNAUTHORIZED",
      "403 FORBIDDEN",
      "404 EXECUTION_NOT_FOUND",
      "409 ALREADY_CANCELLED",
      "409 NOT_CANCELLABLE",
      "429 RATE_LIMITED"
    ]
  ]
]

describe("the OpenAPI document", () => {
  test("is of version 3.1", () => {
    expect(at(document, "openapi")).toMatch(/^3\.1\./u)
  })

  test.each(specified)(
    "%s %s lists every error that the specification does, with its status",
    (method, path, _, codes) => {
      expect(codesOf(method, path)).toEqual(expect.arrayContaining([...codes]))
    }
  )

  test.each(specified)("%s %s lists what any operation can answer", (method, path) => {
    expect(codesOf(method, path)).toEqual(
      expect.arrayContaining(["401 INVALID_API_KEY", "500 INTERNAL_ERROR", "503 SERVICE_UNAVAILABLE"])
    )
  })

  test.each(specified)(
    "%s %s lists no code twice, and each under the status of its class",
    (method, path) => {
      // 304 is no error.
      const codes = codesOf(method, path).filter((entry) => !entry.startsWith("304"))
      expect(new Set(codes).size).toBe(codes.length)
      const known = new Set<string>(apiErrors.map((error) => error.identifier))
      for (const entry of codes) expect(known).toContain(entry.split(" ")[1])
    }
  )

  test.each(specified)("%s %s asks for a bearer token and names its scope", (method, path, scope) => {
    expect(listAt(operation(method, path), "security").length).toBeGreaterThan(0)
    expect(at(operation(method, path), "description")).toContain(scope)
  })

  test("describes the bearer scheme", () => {
    expect(JSON.stringify(at(document, "components.securitySchemes"))).toMatch(/"scheme":"bearer"/iu)
  })

  test("describes every parameter that the specification names", () => {
    expect(parameters("get", "/flows")).toEqual(expect.arrayContaining(["query limit", "query offset"]))
    expect(parameters("get", "/flows/{flowId}")).toEqual(
      expect.arrayContaining(["path flowId", "query version"])
    )
    expect(parameters("post", "/flows/{flowId}/run")).toContain("path flowId")
    expect(parameters("get", "/runs/{executionId}")).toEqual(
      expect.arrayContaining(["path executionId", "query include"])
    )
    expect(parameters("post", "/runs/{executionId}/cancel")).toContain("path executionId")
  })

  test("describes every field of a run's body, and which are required", () => {
    const content = at(operation("post", "/flows/{flowId}/run"), "requestBody.content")
    const media = Predicate.isObject(content) ? Reflect.get(content, "application/json") : undefined
    const body = resolve(at(media, "schema"))
    expect(namesOf(at(body, "properties")).toSorted()).toEqual([
      "idempotencyKey",
      "input",
      "metadata",
      "timeout",
      "version",
      "wait",
      "webhookEvents",
      "webhookSecret",
      "webhookUrl"
    ])
    expect(at(body, "required")).toEqual(["input"])
    const input = resolve(at(body, "properties.input"))
    expect(at(input, "required")).toEqual(["document"])
    expect(at(resolve(at(input, "properties.document")), "oneOf")).toEqual([
      { required: ["base64"] },
      { required: ["url"] }
    ])
  })

  test("closes no object: unknown fields of a request are ignored, and answers may get more", () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
  })

  test("describes what a step made, and the evidence in it", () => {
    const schemas = at(document, "components.schemas")
    const choices = listAt(schemas, "Execution.properties.artifacts.additionalProperties.anyOf")
    const fields = at(resolve(choices[0]), "properties.fields.additionalProperties")
    expect(namesOf(at(resolve(fields), "properties"))).toEqual(
      expect.arrayContaining(["value", "confidence", "status", "page", "bbox", "attachment", "path"])
    )
  })

  test("has a scheme for keys and one for the admin token", () => {
    expect(at(document, "components.securitySchemes")).toMatchObject({
      bearer: { type: "http", scheme: "bearer" },
      adminToken: { type: "http", scheme: "bearer" }
    })
    const paths = Object(at(document, "paths"))
    expect(at(operation("get", "/flows"), "security")).toEqual([{ bearer: [] }])
    expect(at(paths["/api/admin/v1/audit"], "get.security")).toEqual([{ adminToken: [] }])
    expect(at(paths["/api/admin/v1/sessions"], "post.security")).toEqual([])
    expect(at(document, "servers")).toEqual([expect.objectContaining({ url: "/" })])
  })

  test("describes pages as integers, times as times, and free objects as free", () => {
    const [limit, offset] = listAt(operation("get", "/flows"), "parameters")
    expect(at(limit, "schema")).toMatchObject({ type: "integer", minimum: 1, default: 50 })
    expect(at(offset, "schema")).toMatchObject({ type: "integer", minimum: 0 })
    const schemas = at(document, "components.schemas")
    for (const field of ["createdAt", "completedAt", "cancelledAt"]) {
      expect(at(schemas, `Execution.properties.${field}`)).toEqual({ type: "string", format: "date-time" })
    }
    const free = { type: "object", additionalProperties: true }
    expect(at(schemas, "Execution.properties.metadata")).toMatchObject(free)
    expect(at(schemas, "RunRequest.properties.metadata")).toMatchObject(free)
    expect(at(schemas, "RunRequest.properties.input.properties.variables")).toMatchObject(free)
    // A clients' generator would take such an object for one that is always empty.
    expect(JSON.stringify(document)).not.toMatch(/\{"type":"object"\}/u)
  })

  test("says what every execution has in its state, and which headers every answer has", () => {
    expect(at(document, "info.version")).toBe(manifest.version)
    const states = listAt(at(document, "components.schemas.Execution"), "oneOf")
    const required = states.map((state) => [at(state, "properties.status.enum"), at(state, "required")])
    expect(required).toContainEqual([["completed"], ["status", "completedAt", "metrics"]])
    expect(required).toContainEqual([["failed"], ["status", "completedAt", "error"]])
    expect(required).toContainEqual([["cancelled"], ["status", "cancelledAt"]])
    const post = operation("post", "/flows/{flowId}/run")
    expect(namesOf(at(post, "requestBody.content"))[0]).toBe("application/json")
    const headers = at(at(post, "responses"), "200.headers")
    for (const name of ["Limit", "Remaining", "Reset"]) {
      expect(at(headers, `X-RateLimit-${name}.required`)).toBe(true)
    }
  })

  test("lists the refusals of requests that reach no endpoint, and the headers of answers", () => {
    const responses = at(operation("post", "/flows/{flowId}/run"), "responses")
    expect(namesOf(responses)).toEqual(expect.arrayContaining(["405", "408", "413", "415"]))
    const put = at(operation("put", "/runs/{executionId}/corrections"), "responses")
    expect(namesOf(put)).toEqual(expect.arrayContaining(["405", "408", "413", "415"]))
    expect(namesOf(at(responses, "200.headers"))).toContain("Idempotent-Replayed")
    expect(namesOf(at(responses, "401.headers"))).toContain("WWW-Authenticate")
    expect(namesOf(at(responses, "405.headers"))).toContain("Allow")
    expect(namesOf(at(operation("get", "/flows"), "responses"))).not.toContain("413")
  })

  test("describes the webhooks", () => {
    const webhooks = Object(at(document, "webhooks"))
    expect(Object.keys(webhooks)).toEqual([
      "execution.completed",
      "execution.failed",
      "execution.cancelled",
      "corrections.saved"
    ])
    const content = Object(at(webhooks["execution.failed"], "post.requestBody.content"))
    expect(at(content["application/json"], "schema.required")).toEqual(["type", "event", "timestamp", "data"])
  })

  test("has an example of every error that it lists", () => {
    const schemas = Object(at(document, "components.schemas"))
    const errors = Object.keys(schemas).filter((name) => name.startsWith("Error_"))
    expect(errors.length).toBeGreaterThan(15)
    for (const name of errors) {
      const [example] = listAt(schemas[name], "examples")
      expect(codesIn(schemas[name]), name).toEqual([at(example, "error.code")])
    }
  })

  test("refers to nothing that it lacks", () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/gu)]
    for (const [, path = ""] of refs) expect(at(document, path.replaceAll("/", ".")), path).toBeDefined()
    expect(refs.length).toBeGreaterThan(20)
  })

  test("gives examples", () => {
    expect(JSON.stringify(document)).toContain(exampleExecution.id)
    expect(JSON.stringify(document)).toContain('"examples"')
  })
})

test("the examples are what their schemas say", () => {
  expect(Schema.decodeUnknownSync(FlowItem)(exampleFlowItem)).toEqual(exampleFlowItem)
  expect(Schema.decodeUnknownSync(FlowDetail)(exampleFlow)).toEqual(exampleFlow)
  expect(Schema.decodeUnknownSync(Execution)(exampleExecution)).toEqual(exampleExecution)
  expect(Schema.decodeUnknownSync(Execution)(exampleCancelled)).toEqual(exampleCancelled)
})
