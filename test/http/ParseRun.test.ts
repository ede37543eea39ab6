import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { parseJson } from "../../src/http/ParseJson.ts"
import { decodeBase64, parseRun } from "../../src/http/ParseRun.ts"
import type { RunBody } from "../../src/http/RunBody.ts"
import { readRunRequest } from "../../src/http/ReadRunRequest.ts"
import { decodeDocument } from "../../src/services/executions/DecodeDocument.ts"
import * as fc from "../support/FastCheck.ts"

const bounds = { values: 1_000, members: [{ path: "input.variables", bytes: 100_000, members: 50 }] }

/** What becomes of a run: its document and the rest of its request, or why it is refused. */
const outcomeOf = (body: Effect.Effect<RunBody, unknown>) =>
  body.pipe(
    Effect.flatMap((body) => readRunRequest(body, 1_000)),
    Effect.map((run) => {
      const { bytes, ...document } = decodeDocument(run)
      const { decoded: _, input, ...rest } = run
      return { ...document, ...rest, bytes: Buffer.from(bytes), variables: input.variables }
    }),
    Effect.match({ onFailure: (refused: unknown) => ({ refused }), onSuccess: (run) => run }),
    Effect.runPromise
  )

const read = (text: string | Uint8Array) => outcomeOf(parseRun(Buffer.from(text), bounds))
const readWhole = (text: string | Uint8Array) =>
  outcomeOf(Effect.map(parseJson(Buffer.from(text), bounds), (json) => ({ json })))

/** A document that is long enough to be cut out, and one that is not. */
const long = Buffer.from("a document ".repeat(3_000)).toString("base64")
const short = Buffer.from("a short one").toString("base64")

/** Values of `base64` as JSON, right and wrong. */
const texts = [
  long,
  `${long.slice(0, -8)}QUI=`,
  `${long.slice(0, -8)}QQ==`,
  `data:application/pdf;base64,${long}`,
  `DATA:application\\/pdf;name=a;base64,${long}`,
  `data:,${long}`,
  `data:application/pdf;base64${long}`,
  long.slice(1),
  `${long}====`,
  `${long.slice(0, 20_000)}=${long.slice(20_001)}`,
  `${long.slice(0, 20_000)}-${long.slice(20_001)}`,
  `${long.slice(0, 20_000)}_${long.slice(20_001)}`,
  `${long.slice(0, 20_000)}\\/${long.slice(20_001)}`,
  `${long.slice(0, 20_000)}\\u0041${long.slice(20_001)}`,
  `${long.slice(0, 20_000)}\u0001${long.slice(20_001)}`,
  `${long.slice(0, 20_000)}é${long.slice(20_001)}`,
  `${long.slice(0, 20_000)} ${long.slice(20_001)}`,
  short,
  ""
].map((text) => `"${text}"`)

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts.slice(0, 5)) },
  { weight: 2, arbitrary: fc.constantFrom(...texts.slice(5)) },
  { weight: 1, arbitrary: fc.constantFrom("1", "null", "[]", `{"base64":"${long}"}`, `["${long}"]`) }
)
const nameOf = (...names: ReadonlyArray<string>) => fc.constantFrom(...names)
const space = fc.constantFrom("", " ", "\n\t")

/** A JSON object whose members may repeat each other. */
const objectOf = (member: fc.Arbitrary<readonly [string, string]>) =>
  fc
    .array(fc.tuple(member, space), { minLength: 1, maxLength: 3 })
    .map(
      (members) =>
        `{${members.map(([[name, value], gap]) => `${gap}"${name}"${gap}:${gap}${value}`).join(",")}}`
    )

/** Mostly the first of two kinds of members. */
const mostly = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: unusual })

const document = objectOf(
  mostly(fc.tuple(nameOf("base64", "b\\u0061se64"), value), fc.tuple(nameOf("base64\\u0000", "other"), value))
)
const input = objectOf(
  mostly(
    fc.tuple(nameOf("document"), document),
    fc.tuple(
      nameOf("document", "variables", "document.base64"),
      fc.oneof(
        value,
        document.map((one) => `[${one}]`)
      )
    )
  )
)
const body = objectOf(
  mostly(
    fc.tuple(nameOf("input", "\\u0069nput"), input),
    fc.tuple(
      nameOf("input", "metadata", "input.document.base64"),
      fc.oneof(
        value,
        input.map((one) => `[${one}]`)
      )
    )
  )
)

describe("the body of a run", () => {
  test("is read as if its document were parsed with the rest, whatever it holds", async () => {
    let cut = 0
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const expected = await readWhole(text)
        expect(await read(text)).toEqual(expected)
        if ("bytes" in expected && expected.bytes.length > 10_000) cut += 1
      }),
      { numRuns: 500 }
    )
    expect(cut).toBeGreaterThan(100)
  })

  test.each(texts)("with the document %#", async (text) => {
    const json = `{"input":{"document":{"filename":"a.pdf","base64":${text}},"variables":{"a":1}},"wait":true}`
    expect(await read(json)).toEqual(await readWhole(json))
  })

  test.each([
    ["cut off", `{"input":{"document":{"base64":"${long}`],
    ["cut off after it", `{"input":{"document":{"base64":"${long}"`],
    ["in an array", `[{"input":{"document":{"base64":"${long}"}}}]`],
    ["with another value before it", `{"input":{"document":{"base64":1 "${long}"}}}`],
    ["with a mark of its byte order", `\uFEFF{"input":{"document":{"base64":"${long}"}}}`]
  ])("%s", async (_name, json) => expect(await read(json)).toEqual(await readWhole(json)))

  test("that is not UTF-8 next to its document is refused", async () => {
    const json = Buffer.from(`{"input":{"document":{"base64":"${long}","filename":"?"}}}`)
    json[json.indexOf("?")] = 0xff
    expect(await read(json)).toMatchObject({
      refused: { status: 400, message: "The body is not valid JSON" }
    })
  })

  test.each(["", "data:text/plain;base64,", "DATA:;base64,"])(
    "loses a long document after %j from its JSON",
    async (prefix) => {
      const bytes = Buffer.from(`{"input":{"document":{"base64":"${prefix}${long}"}}}`)
      const { document, json } = await Effect.runPromise(parseRun(bytes, bounds))
      expect(document?.toString("base64")).toBe(long)
      expect(json).toEqual({ input: { document: { base64: prefix } } })
    }
  )

  test("has no document if another value of the same name follows", async () => {
    const bytes = Buffer.from(`{"input":{"document":{"base64":"${long}","base64":1}}}`)
    expect(await Effect.runPromise(parseRun(bytes, bounds))).toEqual({
      json: { input: { document: { base64: 1 } } }
    })
  })

  test("keeps a short document in its JSON", async () => {
    const bytes = Buffer.from(`{"input":{"document":{"base64":"${short}"}}}`)
    expect(await Effect.runPromise(parseRun(bytes, bounds))).toEqual({
      json: { input: { document: { base64: short } } }
    })
  })
})

const decode = (text: string) => Effect.runPromise(decodeBase64(Buffer.from(text, "latin1")))

describe("base64 in bytes", () => {
  test("of any length is decoded, over the ends of pieces and turns", async () => {
    for (const length of [0, 1, 2, 3, 49_151, 49_152, 49_153, 1_000_000]) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 7919) % 251))
      expect(bytes.equals((await decode(bytes.toString("base64"))) ?? Buffer.of(1))).toBe(true)
    }
  })

  test("is refused with one wrong character anywhere", async () => {
    const right = Buffer.alloc(150_000, "abc").toString("base64")
    const place = fc.oneof(fc.nat(right.length - 1), fc.constantFrom(0, 65_535, 65_536, right.length - 1))
    await fc.assert(
      fc.asyncProperty(
        place,
        fc.constantFrom("=", "-", "_", " ", "\n", '"', "\u00e9", "\u0000"),
        async (at, wrong) => {
          const isPadding = wrong === "=" && at === right.length - 1
          const text = right.slice(0, at) + wrong + right.slice(at + 1)
          expect((await decode(text)) === undefined).toBe(!isPadding)
        }
      ),
      { numRuns: 200 }
    )
  })
})
