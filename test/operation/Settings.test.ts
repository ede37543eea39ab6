import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { Settings } from "../../src/config/Config.ts"

const database = { DATABASE_URL: "postgres://localhost/docflow" }
const host = { DOCFLOW_CLUSTER_HOST: "10.0.0.7" }
const port = { DOCFLOW_CLUSTER_PORT: "34431" }

/** The settings that go together, or the message that refuses them. */
const read = (environment: Readonly<Record<string, string>>) =>
  Effect.as(Settings, "accepted").pipe(
    Effect.provide(Settings.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: environment })),
    Effect.catch(({ message }) => Effect.succeed(message))
  )

describe("settings that depend on each other", () => {
  it.effect.each([
    { environment: {}, says: "accepted" },
    { environment: { ...database, ...host, ...port }, says: "accepted" },
    { environment: { ...database, DOCFLOW_ROLE: "api" }, says: "accepted" },
    { environment: { ...database, ...host, ...port, DOCFLOW_ROLE: "runner" }, says: "accepted" },
    { environment: { DOCFLOW_ROLE: "api" }, says: "DOCFLOW_ROLE=api needs DATABASE_URL" },
    {
      environment: { ...database, DOCFLOW_ROLE: "runner" },
      says: "DOCFLOW_ROLE=runner needs DOCFLOW_CLUSTER_HOST"
    },
    { environment: { ...host, ...port }, says: "need DATABASE_URL" },
    {
      environment: { ...database, ...host },
      says: "DOCFLOW_CLUSTER_HOST and DOCFLOW_CLUSTER_PORT go together"
    },
    {
      environment: {
        DOCFLOW_HOST: "0.0.0.0",
        DOCFLOW_OIDC_ISSUER: "https://login.example.com",
        DOCFLOW_OIDC_CLIENT_ID: "docflow"
      },
      says: "needs DOCFLOW_PUBLIC_URL"
    },
    { environment: { DOCFLOW_TLS_KEY: "key.pem" }, says: "DOCFLOW_TLS_CERT and DOCFLOW_TLS_KEY go together" }
  ])("$environment: $says", ({ environment, says }) =>
    Effect.gen(function* () {
      assert.include(yield* read(environment), says)
    })
  )
})
