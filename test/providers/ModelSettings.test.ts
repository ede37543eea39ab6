import { assert, describe, it } from "@effect/vitest"
import { mkdtemp, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { connect } from "node:net"
import type { Duplex } from "node:stream"
import { TLSSocket } from "node:tls"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Cause, Config, ConfigProvider, Duration, Effect, Exit, Option, Redacted } from "effect"
import { ollamaSettings } from "../../src/providers/llm/OllamaModel.ts"
import { openAiSettings } from "../../src/providers/llm/OpenAiModel.ts"
import { anthropicSettings } from "../../src/providers/llm/AnthropicModel.ts"
import { checkModels, modelSettings } from "../../src/providers/llm/ModelSettings.ts"
import { Llm } from "../../src/providers/llm/Llm.ts"
import { exchangeText, type Transport } from "../../src/providers/llm/ModelHttp.ts"
import * as LlmModels from "../../src/providers/llm/LlmModels.ts"
import { fault, modelServer, quickRetries } from "../support/ModelServer.ts"
import { defined } from "../../src/support/Defined.ts"
import { certificate } from "../services/webhooks/Certificate.ts"
import { listening } from "../support/Loopback.ts"
import { settingsHelp } from "../../src/app/SettingsHelp.ts"
import { describeStartProblem } from "../../src/app/StartProblem.ts"

const within = <A, E>(env: Record<string, string>, effect: Effect.Effect<A, E>) =>
  Effect.provide(effect, ConfigProvider.layer(ConfigProvider.fromEnv({ env })))

const read = (env: Record<string, string>) => within(env, Effect.flatMap(modelSettings, checkModels))

const hostOf = (host: string) =>
  Effect.map(within({ OLLAMA_HOST: host }, Config.all(ollamaSettings)), ({ address }) => address)

/** What the start would say. */
const problem = (env: Record<string, string>) =>
  Effect.map(Effect.exit(read(env)), (exit) =>
    Exit.isFailure(exit) ? describeStartProblem(exit.cause) : Cause.pretty(Cause.die("it started"))
  )

describe("the settings of models", () => {
  it.effect("are read with their defaults", () =>
    Effect.gen(function* () {
      const settings = yield* read({})
      assert.deepStrictEqual(settings.models, [])
      assert.strictEqual(settings.concurrency, 4)
      assert.strictEqual(Duration.toSeconds(settings.timeLimit), 120)
      assert.strictEqual((yield* within({}, Config.all(ollamaSettings))).address, "http://127.0.0.1:11434")
      const openAi = yield* within({}, Config.all(openAiSettings))
      assert.strictEqual(openAi.address, "https://api.openai.com/v1")
      assert.isTrue(Option.isNone(openAi.key))
    })
  )

  it.effect("name one model or several", () =>
    Effect.gen(function* () {
      const { models } = yield* read({
        DOCFLOW_LLM: "ollama:llama3.2:3b, openai:org/model,anthropic:claude,echo",
        OPENAI_API_KEY: "a",
        ANTHROPIC_API_KEY: "b"
      })
      assert.deepStrictEqual(models, [
        { provider: "ollama", model: "llama3.2:3b" },
        { provider: "openai", model: "org/model" },
        { provider: "anthropic", model: "claude" },
        { provider: "echo", model: "" }
      ])
    })
  )

  it.effect("name no model where there is only an empty text", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* read({ DOCFLOW_LLM: "" })).models, [])
    })
  )

  it.effect("take OLLAMA_HOST as Ollama does", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* hostOf("models.local"), "http://models.local:11434")
      assert.strictEqual(yield* hostOf("0.0.0.0:8000"), "http://0.0.0.0:8000")
      assert.strictEqual(yield* hostOf(":8000"), "http://127.0.0.1:8000")
      assert.strictEqual(yield* hostOf("https://models.local"), "https://models.local")
    })
  )

  it.effect("keep keys out of what is printed; an empty one is none", () =>
    Effect.gen(function* () {
      const env = { OPENAI_API_KEY: "the-secret", ANTHROPIC_API_KEY: "" }
      const openAi = yield* within(env, Config.all(openAiSettings))
      assert.strictEqual(Redacted.value(Option.getOrThrow(openAi.key)), "the-secret")
      assert.notInclude(JSON.stringify([openAi, yield* read(env)]), "the-secret")
      assert.isTrue(Option.isNone((yield* within(env, Config.all(anthropicSettings))).key))
    })
  )

  const wrong: ReadonlyArray<readonly [Record<string, string>, RegExp]> = [
    [{ DOCFLOW_LLM: "gpt-5" }, /^DOCFLOW_LLM: must be ollama:<model>, openai:<model>/u],
    [{ DOCFLOW_LLM: "echo,olama:x" }, /^DOCFLOW_LLM: must be/u],
    [{ DOCFLOW_LLM: "openai:" }, /^DOCFLOW_LLM: must be/u],
    [{ DOCFLOW_LLM: "own:claude" }, /^DOCFLOW_LLM: must be .*no provider own is in DOCFLOW_MODELS/u],
    [{ DOCFLOW_LLM_CONCURRENCY: "0" }, /^DOCFLOW_LLM_CONCURRENCY: /u],
    [{ DOCFLOW_LLM_TIMEOUT: "never" }, /^DOCFLOW_LLM_TIMEOUT: /u],
    [{ DOCFLOW_LLM_CONTEXT: "10" }, /^DOCFLOW_LLM_CONTEXT: /u],
    [{ DOCFLOW_LLM_PICTURES: "maybe" }, /^DOCFLOW_LLM_PICTURES: /u],
    [{ OLLAMA_HOST: "http://user:the-secret@host" }, /^OLLAMA_HOST: must be an address/u],
    [{ OPENAI_BASE_URL: "ftp://host" }, /^OPENAI_BASE_URL: must be an address/u],
    [{ OPENAI_API_KEY: "the-secret\nX-More: 1" }, /^OPENAI_API_KEY: must be one line/u]
  ]
  it.effect.each(wrong)("are refused by name: %j", ([env, said]) =>
    Effect.gen(function* () {
      const message = yield* problem(env)
      assert.match(message, said)
      assert.notInclude(message, "the-secret")
    })
  )

  it.live("name providers in a file, each with its address, key, headers, certificates and fallback", () =>
    Effect.gen(function* () {
      const down = yield* modelServer(() => fault.status(404, { message: "model not found" }))
      const up = yield* modelServer(() => "Well.")
      const folder = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "docflow-models-")))
      const file = join(folder, "models.yaml")
      const write = (text: string) => Effect.promise(() => writeFile(file, text))
      const env = { DOCFLOW_MODELS: file, FIRST_KEY: "the-secret" }
      const providers = `providers:
  first:
    protocol: openai
    address: ${down.url}
    key: \${FIRST_KEY}
    headers: { X-Team: documents }
    models: { big: { context: 5000, temperature: 1, fallback: "second:small", price: { input: 1, output: 2 } } }
  second:
    protocol: openai
    address: ${up.url}/v1
    models: { small: { context: 4000 } }
`
      yield* write(providers)
      const settings = yield* read(env)
      const answer = yield* Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
        Effect.tap(({ contextTokens, name }) =>
          Effect.sync(() => assert.deepStrictEqual([name, contextTokens], ["first:big", 5000]))
        ),
        Effect.flatMap((model) =>
          model.ask({ instructions: "", content: [{ type: "text", text: "How?" }], maxTokens: 10 })
        ),
        Effect.provide(LlmModels.layer(settings, quickRetries))
      )
      assert.deepInclude(answer, { value: "Well.", model: "second:small" })
      const [asked] = down.asked
      assert.deepInclude(asked?.headers, { authorization: "Bearer the-secret", "x-team": "documents" })
      assert.deepInclude(Object(asked?.body), { model: "big", temperature: 1 })
      for (const [text, said] of [
        [providers.replace("address:", "adress:"), /DOCFLOW_MODELS: .*adress/su],
        [
          providers.replace("FIRST_KEY", "OTHER_KEY"),
          /providers\.first\.key needs the variable OTHER_KEY: set it/u
        ],
        [
          providers.replace("second:small", "second:none"),
          /the fallback second:none is no configured model/u
        ],
        [providers.replace("first:", "ollama:"), /has the name of a protocol/u]
      ] as const) {
        yield* write(text)
        const message = yield* problem(env)
        assert.match(message, said)
        assert.notInclude(message, "the-secret")
      }
      assert.match(yield* problem({ DOCFLOW_MODELS: join(folder, "none.yaml") }), /cannot be read/u)
    })
  )

  it.live("reach a server by a proxy with a client certificate, and heed retry-after-ms", () =>
    Effect.gen(function* () {
      const { cert, key } = certificate
      const people: Array<string> = []
      const server = createSecureServer({ cert, key, ca: cert, requestCert: true }, (request, response) => {
        if (request.socket instanceof TLSSocket)
          people.push(String(request.socket.getPeerCertificate().subject.CN))
        response.writeHead(429, { "retry-after": "9", "retry-after-ms": "1500" }).end("{}")
      })
      const port = yield* listening(server)
      const asked: Array<string> = []
      const proxy = createServer().on("connect", ({ url = "" }, from: Duplex) => {
        asked.push(url)
        const to = connect(port, "127.0.0.1", () => {
          from.write("HTTP/1.1 200 OK\r\n\r\n")
          to.pipe(from).pipe(to)
        })
        to.on("error", () => from.destroy()).on("close", () => from.destroy())
        from.on("error", () => to.destroy()).on("close", () => to.destroy())
      })
      const throughProxy = { HTTPS_PROXY: `http://127.0.0.1:${yield* listening(proxy)}` }
      const failureOf = (tls: Transport["tls"], host = "receiver.test") =>
        Effect.flip(
          exchangeText(
            { address: "it", startIt: "", checkKey: "", getModel: "" },
            {
              transport: {
                headers: { Host: Redacted.make("receiver.test") },
                proxy: throughProxy,
                ...defined({ tls })
              },
              url: `https://${host}/v1`,
              headers: {}
            }
          )
        )
      const own = { cert, key: Redacted.make(key), ca: cert }
      assert.deepInclude(yield* failureOf(own), { reason: "limited", retryAfter: "1.5" })
      assert.deepStrictEqual([asked, people], [["receiver.test:443"], ["receiver.test"]])
      // The certificate of the server is trusted only where the settings say so, and the server wants one, too.
      assert.match((yield* failureOf(undefined)).what, /SELF_SIGNED/u)
      assert.strictEqual((yield* failureOf({ ca: cert })).reason, "unavailable")
      // A server on this machine is reached without the proxy.
      assert.strictEqual((yield* failureOf(own, `127.0.0.1:${port}`)).reason, "limited")
      assert.lengthOf(asked, 3)
    })
  )

  it("are in the help next to those of secrets", () => {
    const names = settingsHelp.map(({ variable }) => variable)
    assert.includeMembers(names, ["DOCFLOW_SECRET_<name>", "DOCFLOW_HOSTS_<name>"])
  })

  it("are in the help, each once", () => {
    const names = settingsHelp
      .map(({ variable }) => variable)
      .filter((name) => /LLM|OLLAMA|OPENAI|ANTHROPIC/u.test(name))
    assert.deepStrictEqual(names, [
      "DOCFLOW_LLM",
      "DOCFLOW_LLM_CONCURRENCY",
      "DOCFLOW_LLM_TIMEOUT",
      "DOCFLOW_LLM_CONTEXT",
      "DOCFLOW_LLM_PICTURES",
      "OLLAMA_HOST",
      "OLLAMA_API_KEY",
      "OPENAI_BASE_URL",
      "OPENAI_API_KEY",
      "ANTHROPIC_BASE_URL",
      "ANTHROPIC_API_KEY"
    ])
  })
})
