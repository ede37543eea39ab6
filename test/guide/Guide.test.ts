import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Duration, Effect, Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { check, StepRegistry } from "../../dsl/index.ts"
import { setting } from "../../src/config/Setting.ts"
import * as Errors from "../../src/domain/Errors.ts"
import { fieldOf } from "../../src/extraction/lexicon/Field.ts"
import { lexiconWith } from "../../src/extraction/lexicon/CurrentLexicon.ts"
import { readDocument } from "../../src/extraction/layout/Reading.ts"
import { FailureCode } from "../../src/domain/FailureCode.ts"
import { sha256 } from "../dsl/Support.ts"
import { typescriptIn } from "../house/Files.ts"
import { context } from "../steps/pages/Pages.ts"
import { placedPage } from "../steps/pages/PlacedLines.ts"
import { listening } from "../support/Loopback.ts"
import { initials } from "./Initials.ts"
import { parrot } from "./ParrotModel.ts"
import { postOfficeBoxFinder } from "./PostOfficeBox.ts"
import { subtitles } from "./SubtitlesFormat.ts"

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8")
const guide = read("../../docs/dev/adding.md")

/** Code without what differs between the guide and this folder: the folders of imports, and indentation by lists. */
const plain = (code: string): string =>
  code
    .replaceAll(/from "[./]*(?:[a-z-]+\/)*(?=[A-Z])/gu, 'from "')
    .replaceAll(/\s+/gu, " ")
    .trim()

describe("the guide Adding things", () => {
  it.each([
    "Initials.ts",
    "Subtitles.ts",
    "SubtitlesFormat.ts",
    "ParrotModel.ts",
    "PostOfficeBox.ts",
    "eu.yaml"
  ])("shows %s as it is tested here", (name) =>
    assert.include(plain(guide), plain(read(name).replace(/^import[\s\S]*?\n\n/u, "")))
  )

  it.effect("adds a step kind", () =>
    Effect.gen(function* () {
      const flow = `docflow: 1
id: greeting
version: 1.0.0
name: Greeting
document: { formats: [application/pdf] }
steps: [{ id: a, uses: initials, with: { name: Ada Lovelace } }]
output: { value: { it: "\${{ steps.a.initials }}" } }
`
      const checked = check(flow, { file: "greeting.yaml", registry: StepRegistry.make([initials]), sha256 })
      assert.isTrue(Result.isSuccess(checked))
      assert.deepStrictEqual(yield* initials.run({ name: "Ada Lovelace" }, context), { initials: "AL" })
    })
  )

  it("adds a document format", async () => {
    const bytes = Buffer.from(
      "1\n00:00:01,000 --> 00:00:02,000\nHello.\n\n2\n00:00:03,000 --> 00:00:04,000\nWorld.\n"
    )
    assert.isTrue(subtitles.matches?.(bytes))
    const reader = await subtitles.load()
    const document = await reader.open(bytes)
    const page = await document.page(0)
    assert.deepStrictEqual(
      page.words.map(({ text }) => text),
      ["Hello.", "World."]
    )
  })

  it.live("adds a model provider", () =>
    Effect.gen(function* () {
      const port = yield* listening(createServer((_, answer) => answer.end("squawk")))
      const target = yield* parrot.target.pipe(
        Effect.provideService(
          ConfigProvider.ConfigProvider,
          ConfigProvider.fromEnv({ env: { PARROT_URL: `http://127.0.0.1:${port}` } })
        )
      )
      const model = yield* parrot.connect(
        {
          model: "polly",
          contextTokens: undefined,
          pictures: undefined,
          temperature: undefined,
          reasoning: undefined
        },
        target
      )
      const request = { instructions: "", content: [{ type: "text", text: "Hello" } as const], maxTokens: 10 }
      const answer = yield* model.attempt(request, {
        form: "strict",
        tellsSchema: false,
        temperature: 0,
        maxTokens: 10,
        limit: "usual",
        system: true,
        thinking: true,
        began: () => undefined
      })
      assert.strictEqual(answer.text, "squawk")
    })
  )

  it.effect("adds a setting", () =>
    Effect.gen(function* () {
      const own = {
        greeting: setting("DOCFLOW_GREETING", Schema.NonEmptyString, "text of the greeting", "Hello"),
        pause: setting(
          "DOCFLOW_PAUSE",
          Schema.DurationFromMillis,
          "milliseconds between greetings",
          Duration.zero
        )
      }
      assert.include(
        guide,
        `setting("DOCFLOW_GREETING", Schema.NonEmptyString, "text of the greeting", "Hello")`
      )
      const provider = ConfigProvider.fromEnv({ env: { DOCFLOW_GREETING: "Hi" } })
      const { greeting } = yield* Config.all({ greeting: own.greeting }).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, provider)
      )
      assert.strictEqual(greeting, "Hi")
      assert.deepInclude(own.greeting, { variable: "DOCFLOW_GREETING", fallback: "Hello" })
    })
  )

  it("adds an error code", () => {
    const shown = /class (\w+) extends Schema\.TaggedError<\w+>\(\)\("(\w+)"/u.exec(guide)
    assert.deepStrictEqual([shown?.[1], shown?.[2]], ["ProviderError", "PROVIDER_ERROR"])
    assert.isTrue(Errors.apiErrors.includes(Errors.ProviderError))
  })

  it("adds a code that executions fail with in one list", () => {
    const lists = typescriptIn("src", "dsl").filter((file) =>
      /^ *"[A-Z_]+",\n *"INVALID_DOCUMENT",?$/mu.test(
        readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
      )
    )
    assert.deepStrictEqual(lists, ["src/domain/FailureCode.ts"])
    const codes = new Set<string>(Errors.apiErrors.map(({ identifier }) => identifier))
    assert.deepStrictEqual(
      FailureCode.literals.filter((code) => !codes.has(code)),
      []
    )
  })

  it.effect("adds a language", () =>
    Effect.gen(function* () {
      const lexicon = yield* lexiconWith(fileURLToPath(new URL(".", import.meta.url)))
      assert.include(lexicon.field("invoice.totalAmount").labels, "Ordaindu beharrekoa guztira")
    })
  )

  it.effect("adds a finder", () =>
    Effect.gen(function* () {
      const field = fieldOf("box", { type: "string", labels: ["Box"] })
      const reading = yield* readDocument(
        placedPage([
          { text: "Acme Ltd", x: 50, y: 50 },
          { text: "P.O. Box 1207", x: 50, y: 70 }
        ]),
        [field],
        undefined
      )
      assert.deepStrictEqual(
        postOfficeBoxFinder.find(reading, field).map(({ value }) => value),
        ["1207"]
      )
    })
  )
})
