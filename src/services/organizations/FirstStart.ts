import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "./ApiKeys.ts"
import { allScopes } from "../../domain/ApiKey.ts"
import type { Environment } from "../../domain/Organization.ts"
import { Organizations } from "./Organizations.ts"

/** The keys created for an empty database; they are shown once. */
export interface FirstKeys {
  readonly live: Redacted.Redacted
  readonly test: Redacted.Redacted
}

const openingCredits = 10_000
/** Any fixed number: processes that start on one empty database use it to take turns. */
const advisoryLock = 7_036_119

/** What was created because the database was empty; undefined on every later start. */
export class FirstStart extends Context.Service<FirstStart, FirstKeys | undefined>()("docflow/FirstStart") {
  /** Creates the organization `default` with a live and a test key if there is no organization. */
  static readonly layer = Layer.effect(
    FirstStart,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizations = yield* Organizations
      const keys = yield* ApiKeys
      return yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select pg_advisory_xact_lock(${advisoryLock}::bigint)`
          const some = yield* sql`select 1 from organizations limit 1`
          if (some.length > 0) return undefined
          const { id } = yield* organizations.create({
            name: "default",
            plan: "pro",
            credits: openingCredits
          })
          const make = (environment: Environment) =>
            Effect.map(
              keys.create(id, { name: `first ${environment} key`, environment, scopes: allScopes }),
              ({ secret }) => secret
            )
          return { live: yield* make("live"), test: yield* make("test") }
        })
      )
    })
  )
}
