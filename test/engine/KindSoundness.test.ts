import { Effect, Layer, ManagedRuntime, Result, Scope } from "effect"
import * as fc from "../support/FastCheck.ts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CheckedFlow, FlowLibrary, type FlowText, type StepKind, toYaml } from "../../dsl/index.ts"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"
import { expressionScope } from "../../dsl/check/FlowScope.ts"
import { decodedType, encodedType } from "../../dsl/types/SchemaType.ts"
import { fromJsonSchema } from "../../dsl/types/JsonSchemaTypes.ts"
import type { DocumentRef } from "../../src/domain/Document.ts"
import { StepKinds } from "../../src/engine/program/StepKinds.ts"
import { Llm } from "../../src/providers/llm/Llm.ts"
import { LocalDocuments } from "../../src/providers/documents/LocalDocuments.ts"
import * as OutboundHttp from "../../src/providers/outbound/OutboundHttp.ts"
import { NameNotResolved, Resolver } from "../../src/providers/outbound/OutboundHttp.ts"
import { allSteps } from "../../src/steps/All.ts"
import { drawPdf, linesAt } from "../document/DrawPdf.ts"
import { sha256 } from "../dsl/Support.ts"
import { runOn } from "../support/RunOn.ts"
import { anyConfig, typedTexts } from "./AnyConfig.ts"
import { sharedReader } from "../support/SharedReader.ts"

const nowhere = Layer.succeed(
  Resolver,
  Resolver.of({ resolve: (name) => Effect.fail(new NameNotResolved({ name, code: "ENOTFOUND" })) })
)
const runtime = ManagedRuntime.make(
  StepKinds.layer(allSteps).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        sharedReader,
        LocalDocuments.layer,
        Llm.layerNone,
        OutboundHttp.layerWithoutResolver.pipe(Layer.provide(nowhere))
      )
    )
  )
)
const scopeOfAll = Scope.makeUnsafe()
afterAll(() => runtime.dispose())

const variables = {
  type: "object",
  required: ["text", "whole", "maybe", "list", "yes"],
  properties: {
    text: { type: "string" },
    whole: { type: "integer" },
    maybe: { type: ["number", "null"] },
    list: { type: "array", items: { type: "string" } },
    yes: { type: "boolean" },
    absent: { type: "string" }
  }
} as const
const given = fc.record({
  text: fc.constantFrom("", "One", "Total 12.00"),
  whole: fc.integer({ min: -1, max: 3 }),
  maybe: fc.constantFrom(null, 1.5),
  list: fc.constantFrom([], ["Total"], ["a", "b"]),
  yes: fc.boolean()
})

const parse = allSteps.kinds.get("parse")
const scope = expressionScope({
  variables: fromJsonSchema(variables, { closed: true }),
  steps: new Map(parse === undefined ? [] : [["read", decodedType(parse.output)]]),
  allSteps: new Set(),
  inside: new Map(),
  around: [],
  locals: new Map(),
  present: new Set()
})
const expressions = typedTexts(
  [
    ..."text whole maybe list yes absent".split(" ").map((name) => `variables.${name}`),
    "input.document",
    "input.document.pageCount",
    "steps.read.document",
    "steps.read.document.pages",
    "steps.read.text",
    "steps.read.wordCount",
    "coalesce(variables.maybe, 1)",
    "variables.list.map(one, size(one))",
    "variables.list[0]",
    '{"from": 1, "to": variables.whole}'
  ],
  scope
)

const top = (id: string) => ({
  docflow: 1 as const,
  id,
  version: "1.0.0",
  name: id,
  document: { formats: ["application/pdf"] }
})
const inner: FlowText = {
  id: "inner",
  version: "1.0.0",
  file: "inner.yaml",
  text: toYaml({
    ...top("inner"),
    steps: [{ id: "read", uses: "parse", with: { document: "${{ input.document }}" } }],
    output: { value: { words: "${{ steps.read.wordCount }}" } }
  })
}

/** What kinds failed with, by the messages that they chose themselves. */
const chosen = new Set<string>()
const noting = (kind: StepKind.Any<never>): StepKind.Any<never> => ({
  ...kind,
  run: (config, context) =>
    Effect.tapError(kind.run(config, context), ({ message }) => Effect.sync(() => void chosen.add(message)))
})

/** A range or a pattern is no matter of types: a value outside of it may fail the step, saying so. */
const isOfTypes = (message: string): boolean =>
  /^(?:Expected (?:string|number|boolean|array|object|null|undefined|never|[["{])|Missing key|Unexpected key)/u.test(
    message
  )

describe("a checked step of every kind", () => {
  const numRuns = process.env["DOCFLOW_TEST_LONG"] === undefined ? 12 : 300
  let document: DocumentRef
  let registry: { readonly kinds: ReadonlyMap<string, StepKind.Any<never>> }

  beforeAll(async () => {
    const bytes = await drawPdf([{ texts: linesAt(72, 100, ["One", "Total 12.00", "2026-03-14"]) }])
    const made = await runtime.runPromise(
      Effect.gen(function* () {
        const { kinds } = yield* StepKinds
        const documents = yield* LocalDocuments
        return { kinds, blob: yield* Scope.provide(documents.keep("exec_1", bytes), scopeOfAll) }
      })
    )
    document = { blob: made.blob, mimeType: "application/pdf", size: bytes.length, pageCount: 1 }
    registry = { kinds: new Map([...made.kinds].map(([name, kind]) => [name, noting(kind)])) }
  })

  const check = (uses: string, config: unknown): CheckedFlow<never> | undefined => {
    const text = toYaml({
      ...top("outer"),
      variables,
      steps: [
        { id: "read", uses: "parse", with: { document: "${{ input.document }}" } },
        { id: "it", uses, with: JSON.parse(JSON.stringify(config)) }
      ],
      output: { value: { it: "${{ steps.it }}" } }
    })
    const library = new FlowLibrary([inner], { registry, sha256 })
    return Result.getOrUndefined(library.check({ ...inner, id: "outer", file: "outer.yaml", text }))
  }

  it.each([...allSteps.kinds.values()])(
    "$name fails with nothing but what it chose itself, and gives what it promises",
    async ({ config, name }) => {
      await fc.assert(
        fc.asyncProperty(anyConfig(encodedType(config), expressions), given, async (written, values) => {
          const flow = check(name, written)
          // What the checker refuses is no example: another one is tried.
          if (flow === undefined) return fc.pre(false)
          const result = await runtime.runPromise(
            Effect.result(
              Effect.catchTag(runOn(flow, values, [], {}, document).effect, "BlobStoreFailure", Effect.die)
            )
          )
          if (Result.isSuccess(result)) {
            const promise = Result.getOrThrow(compileJsonSchema(flow.outputSchema, { useDefaults: false }))
            const out: unknown = JSON.parse(JSON.stringify(result.success))
            expect({ written, out, wrong: promise(out) }).toEqual({ written, out, wrong: [] })
            return
          }
          const { _tag: code, message } = result.failure
          const isTyped = chosen.has(message) || code === "VALIDATION_ERROR" || code === "INVALID_DOCUMENT"
          expect({ written, message, isTyped: isTyped || !isOfTypes(message) }).toEqual({
            written,
            message,
            isTyped: true
          })
          expect(message).not.toMatch(/unexpectedly|does not match output.schema/u)
        }),
        { numRuns, maxSkipsPerRun: 200 }
      )
    },
    300_000
  )
})
