import * as fc from "fast-check"
import { nastyBody, nastyText } from "./Nasty.ts"
import { isPathOf, type OpenApiDocument, type Operation } from "./OpenApiDocument.ts"
import { brokenOf, valuesOf } from "./Values.ts"

/** Who sends a request: the names of credentials that the run has made. */
export const callers = ["good", "test", "foreign", "limited", "revoked", "unknown", "none", "wrong"] as const

/** A request to be sent. Parts of the path in `⟦ ⟧` stand for ids that are known by then. */
export interface FuzzRequest {
  readonly fit: "valid" | "boundary" | "broken"
  readonly method: string
  readonly path: string
  readonly query: ReadonlyArray<readonly [string, string]>
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly caller: (typeof callers)[number]
  readonly body?: Uint8Array | undefined
}

const strangeHeaders: ReadonlyArray<readonly [string, string]> = [
  ["accept", "image/png"],
  ["accept-encoding", "br;q=1, *;q=0"],
  ["x-forwarded-for", "127.0.0.1, ::1"],
  ["x-forwarded-proto", "javascript"],
  ["x-http-method-override", "DELETE"],
  ["expect", "nothing"],
  ["if-none-match", "*"],
  ["range", "bytes=0-0"],
  ["origin", "https://evil.invalid"],
  ["cookie", "session=%00; a=b; a=b"],
  ["content-encoding", "gzip"],
  ["traceparent", "00-zz-zz-01"],
  ["b3", "0"],
  ["x-long", "x".repeat(8000)],
  ["host", "evil.invalid"]
]

const contentTypes = [
  "text/plain",
  "application/json; charset=utf-16",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "json",
  ""
]

const methods = ["PUT", "PATCH", "DELETE", "POST", "GET", "OPTIONS", "PROPFIND"]

/** Of what an id in the path is: the segment before it says. */
const poolOf = (template: string, parameter: string): string =>
  // Few executions are corrected: one is kept for this.
  template.endsWith("/test-set")
    ? "corrected"
    : (template.split("/").find((_, index, all) => all[index + 1] === `{${parameter}}`) ?? "")

const segments: Readonly<Record<string, ReadonlyArray<string>>> = {
  page: ["1", "1", "1", "2", "0"],
  month: ["2025-01", "2025-12", "2999-01", "2025-13"],
  kind: ["executions", "audit", "nothing"]
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const optional = <A>(arbitrary: fc.Arbitrary<A>, required: boolean) =>
  required
    ? arbitrary.map((value) => [value])
    : fc.oneof(
        fc.constant([]),
        arbitrary.map((value) => [value])
      )

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value) ?? "")

/** Requests of an operation, of every fit. */
export const requestsOf = (document: OpenApiDocument, operation: Operation): fc.Arbitrary<FuzzRequest> => {
  const isAdmin = operation.path.startsWith("/api/admin")
  const queryNames = operation.parameters.filter((parameter) => parameter.in === "query")
  const headerNames = operation.parameters.filter((parameter) => parameter.in === "header")
  const pathNames = operation.parameters.filter((parameter) => parameter.in === "path")
  const schema = operation.requestBody?.content["application/json"]?.schema

  const segment = (name: string, fit: FuzzRequest["fit"]): fc.Arbitrary<string> => {
    // What is no id in a path.
    const words = segments[name]
    const known =
      words !== undefined
        ? fc.constantFrom(...words)
        : fc.nat(1_000_000).map((index) => `⟦${poolOf(operation.path, name)}:${index}⟧`)
    const strange = nastyText.map(encoded)
    return fc.oneof(
      { weight: fit === "valid" ? 20 : 5, arbitrary: known },
      { weight: 1, arbitrary: strange },
      {
        weight: fit === "broken" ? 1 : 0,
        arbitrary: fc.constantFrom("%", "%zz", "..", ".", "a%2Fb", "%C0%AF")
      }
    )
  }

  const pathArbitrary = (fit: FuzzRequest["fit"]) =>
    fc
      .tuple(...pathNames.map(({ name }) => segment(name, fit)))
      .map((parts) =>
        pathNames.reduce(
          (path, { name }, index) => path.replace(`{${name}}`, () => parts[index] ?? ""),
          operation.path
        )
      )

  const parametersOf = (names: typeof queryNames, fit: FuzzRequest["fit"]) => {
    const values = valuesOf(document, fit === "broken" ? "valid" : fit)
    return fc
      .tuple(
        ...names.map(({ name, required, schema }) =>
          optional(
            (fit === "broken"
              ? fc.oneof(nastyText, values.ofField(name, schema).map(String))
              : values.ofField(name, schema).map(String)
            ).map((value): readonly [string, string] => [name, value]),
            required ?? false
          )
        )
      )
      .map((found) => found.flat())
  }

  const bodyArbitrary = (fit: FuzzRequest["fit"]): fc.Arbitrary<Uint8Array | undefined> => {
    if (schema === undefined) {
      return fit === "broken" ? fc.option(nastyBody, { nil: undefined }) : fc.constant(undefined)
    }
    const valid = valuesOf(document, fit === "boundary" ? "boundary" : "valid").of(schema)
    return fit === "broken"
      ? fc.oneof(
          { weight: 6, arbitrary: brokenOf(valid).map(json) },
          { weight: 1, arbitrary: nastyBody },
          { weight: 1, arbitrary: fc.constant(undefined) }
        )
      : valid.map(json)
  }

  const otherMethods = methods.filter(
    (method) =>
      !document.operations.some((other) => isPathOf(other.path, operation.path) && other.method === method)
  )

  const request = (fit: FuzzRequest["fit"]): fc.Arbitrary<FuzzRequest> =>
    fc
      .record({
        path: pathArbitrary(fit),
        query: parametersOf(queryNames, fit),
        ownHeaders: parametersOf(headerNames, fit),
        strange: fc.oneof(
          { weight: 6, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.subarray([...strangeHeaders], { maxLength: 3 }) }
        ),
        type: fc.oneof(
          { weight: fit === "broken" ? 8 : 1, arbitrary: fc.constant("application/json") },
          { weight: fit === "broken" ? 1 : 0, arbitrary: fc.constantFrom(...contentTypes) }
        ),
        body: bodyArbitrary(fit),
        caller: fc.oneof(
          { weight: 12, arbitrary: fc.constant("good" as const) },
          { weight: isAdmin ? 0 : 1, arbitrary: fc.constant("test" as const) },
          { weight: 1, arbitrary: fc.constantFrom(...callers) }
        ),
        method: fc.oneof(
          { weight: 30, arbitrary: fc.constant(operation.method) },
          { weight: fit === "broken" ? 1 : 0, arbitrary: fc.constantFrom(...otherMethods) }
        ),
        twice: fc.nat(15),
        extra: fc.nat(15)
      })
      .map(({ body, caller, extra, method, ownHeaders, path, query, strange, twice, type }) => {
        const again = fit === "broken" && twice === 0 ? query : []
        const more: ReadonlyArray<readonly [string, string]> = extra === 0 ? [["unknown", "1"]] : []
        return {
          fit,
          method,
          path,
          query: [...query, ...again, ...more],
          headers: [
            ...ownHeaders.filter(([, value]) => isHeaderValue(value)),
            ...strange,
            ...(body === undefined ? [] : [["content-type", type] as const])
          ],
          caller,
          body
        }
      })

  return fc.oneof(
    { weight: 4, arbitrary: request("valid") },
    { weight: 3, arbitrary: request("boundary") },
    { weight: 5, arbitrary: request("broken") }
  )
}

/** What Node.js sends in a header; the rest is tested over sockets. */
const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/u.test(value)
