import { Config, Effect, Option, Redacted, Schema } from "effect"
import { ConnectionFailure, DocflowClient } from "../../client/index.ts"
import { storedAdminToken } from "../../services/users/AdminToken.ts"
import { fail } from "../CommandFailed.ts"

const address = Config.String("DOCFLOW_URL").pipe(Config.withDefault("http://127.0.0.1:8080"))
const trimmed = Effect.map(Effect.orDie(address), (url) => url.replace(/\/+(?:api\/v1\/*)?$/u, ""))

/** The key of the calling organization, from DOCFLOW_KEY. */
const keyOf = Effect.gen(function* () {
  const key = yield* Effect.orDie(Config.option(Config.Redacted("DOCFLOW_KEY")))
  if (Option.isSome(key)) return Redacted.value(key.value)
  return yield* fail("Set DOCFLOW_KEY to an API key of the service; docflow keys create creates one")
})

/** A client of the service at DOCFLOW_URL, with the key of DOCFLOW_KEY. */
export const serviceClient = Effect.gen(function* () {
  return new DocflowClient({ apiKey: yield* keyOf, baseUrl: `${yield* trimmed}/api/v1` })
})

/** Calls the service; a refusal ends the command with its message. */
export const calling = <A>(call: (signal: AbortSignal) => Promise<A>) =>
  Effect.catch(Effect.tryPromise(call), ({ cause }) =>
    cause instanceof ConnectionFailure
      ? Effect.flatMap(trimmed, (url) =>
          fail(`${cause.message}: ${url}. Start it with docflow serve, or set DOCFLOW_URL`)
        )
      : fail(cause instanceof Error ? cause.message : String(cause))
  )

/** The admin token: from the settings, or the one that the first start wrote into the data folder. */
const adminToken = Effect.gen(function* () {
  const given = yield* Effect.orDie(Config.option(Config.Redacted("DOCFLOW_ADMIN_TOKEN")))
  if (Option.isSome(given)) return Redacted.value(given.value)
  const folder = yield* Effect.orDie(Config.String("DOCFLOW_DATA_DIR").pipe(Config.withDefault(".docflow")))
  return yield* storedAdminToken(folder).pipe(
    Effect.map(Redacted.value),
    Effect.catchTag("AdminTokenDamaged", ({ message }) => fail(message)),
    Effect.catchTag("PlatformError", () =>
      fail(
        "Set DOCFLOW_ADMIN_TOKEN, or run this command in the folder of the service, which has .docflow/admin-token"
      )
    )
  )
})

const Refusal = Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ message: Schema.String }) }))
const refusalOf = Schema.decodeUnknownOption(Refusal)

interface Sent {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly token?: string
  readonly body?: unknown
}

/** Sends a request to the administration API and decodes its answer; a refusal ends the command with its message. */
const exchange = Effect.fnUntraced(function* <A>(
  { body, method, path, token }: Sent,
  answer: Schema.ConstraintCodec<A, unknown>
) {
  const url = `${yield* trimmed}/api/admin/v1${path}`
  const { ok, text } = yield* Effect.catch(
    Effect.tryPromise(async (signal) => {
      const response = await fetch(url, {
        method,
        signal,
        redirect: "error",
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          "content-type": "application/json"
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { ok: response.ok, text: await response.text() }
    }),
    () => fail(`No service answers at ${url}. Start it with docflow serve, or set DOCFLOW_URL`)
  )
  if (!ok)
    return yield* fail(
      Option.match(refusalOf(text), { onNone: () => text, onSome: ({ error }) => error.message })
    )
  return yield* Effect.catch(Schema.decodeUnknownEffect(Schema.fromJsonString(answer))(text), () =>
    fail(`${url} is not a docflow service`)
  )
})

/** Calls the administration API, with the admin token or the token of a user's session. */
export const administer = <A>(
  method: Sent["method"],
  path: string,
  answer: Schema.ConstraintCodec<A, unknown>,
  body?: unknown
) => Effect.flatMap(adminToken, (token) => exchange({ method, path, token, body }, answer))

/** Posts to the administration API without a token. */
export const signInTo = <A>(path: string, answer: Schema.ConstraintCodec<A, unknown>, body: unknown) =>
  exchange({ method: "POST", path, body }, answer)
