import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { ValidationFailed } from "../../domain/Errors.ts"
import { Llm } from "../../providers/llm/Llm.ts"
import { ModelAccounts } from "../../providers/llm/ModelAccounts.ts"
import { Audit } from "../storage/Audit.ts"
import { SealedSecrets } from "../storage/SealedSecrets.ts"

/** The first day of the month, by the database's clock. */
export const thisMonth = "date_trunc('month', now() at time zone 'UTC')::date"

interface Change {
  /** A key of each provider; undefined removes it. */
  readonly keys: ReadonlyArray<readonly [provider: string, key: Redacted.Redacted | undefined]>
  /** Null removes the budget; undefined leaves it as it is. */
  readonly tokensPerMonth: number | null | undefined
}

/** What organizations may use of models, and with which keys. */
export class StoredModelAccounts extends Context.Service<
  StoredModelAccounts,
  {
    change(organizationId: string, change: Change): Effect.Effect<void, ValidationFailed | SqlError.SqlError>
  }
>()("docflow/StoredModelAccounts") {
  static readonly layer = Layer.effect(
    StoredModelAccounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* SealedSecrets
      const audit = yield* Audit
      const { providers = [] } = yield* Llm
      const record = (organizationId: string, subject: string) =>
        audit.record({ action: "organization.models", subject, organizationId })
      const change = Effect.fn("StoredModelAccounts.change")(function* (id: string, change: Change) {
        const kept = yield* sql<{
          provider: string
        }>`select provider from model_keys where organization_id = ${id}`
        for (const [provider, key] of change.keys) {
          const isKept = kept.some((one) => one.provider === provider)
          // A key can be removed after its provider was.
          if (!providers.includes(provider) && (key !== undefined || !isKept))
            return yield* new ValidationFailed({
              message: `There is no provider ${provider}; use one of ${providers.join(", ")}`,
              details: { field: `keys.${provider}`, reason: "unknown provider" }
            })
          const sealed = yield* secrets.seal(key === undefined ? undefined : Redacted.value(key))
          yield* sealed === undefined
            ? sql`delete from model_keys where organization_id = ${id} and provider = ${provider}`
            : sql`
                insert into model_keys (organization_id, provider, sealed) values (${id}, ${provider}, ${sealed})
                on conflict (organization_id, provider) do update set sealed = excluded.sealed`
          yield* record(id, `key for ${provider} ${sealed === undefined ? "removed" : "set"}`)
        }
        const { tokensPerMonth } = change
        if (tokensPerMonth === undefined) return
        yield* sql`update organizations set model_tokens_per_month = ${tokensPerMonth}::bigint where id = ${id}`
        yield* record(id, `tokens per month: ${tokensPerMonth ?? "no limit"}`)
      }, sql.withTransaction)
      return StoredModelAccounts.of({ change })
    })
  )

  /** The same for the steps that ask models. An outage of the database makes the engine try the execution again. */
  static readonly layerForSteps = Layer.effect(
    ModelAccounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* SealedSecrets

      const month = sql.literal(thisMonth)

      const keyOf = Effect.fnUntraced(function* (organization: string, provider: string) {
        const [row] = yield* sql<{ sealed: string }>`
          select sealed from model_keys where organization_id = ${organization} and provider = ${provider}`
        if (row === undefined) return Option.none<Redacted.Redacted>()
        // A key that cannot be opened is refused by the provider. The installation's key is not used instead.
        return Option.orElseSome(yield* secrets.open(row.sealed), () => Redacted.make("unreadable"))
      }, Effect.orDie)

      const hold = Effect.fnUntraced(function* (organization: string, tokens: number) {
        if (organization === "") return undefined
        const needed = sql`${tokens}::bigint`
        const held = yield* sql`
          insert into model_tokens as used (organization_id, month, tokens)
          select id, ${month}, ${needed} from organizations
          where id = ${organization} and ${needed} <= coalesce(model_tokens_per_month, ${needed})
          on conflict (organization_id, month) do update set tokens = used.tokens + ${needed}
          where used.tokens + ${needed} <= coalesce(
            (select model_tokens_per_month from organizations where id = ${organization}), used.tokens + ${needed})
          returning 1`
        if (held.length > 0) return undefined
        const [row] = yield* sql<{ budget: number; used: number }>`
          select model_tokens_per_month::float8 as budget, coalesce(
            (select tokens from model_tokens where organization_id = id and month = ${month}), 0)::float8 as used
          from organizations where id = ${organization}`
        return (
          `the organization may use ${row?.budget ?? 0} tokens in a month; ${row?.used ?? 0} are used or reserved ` +
          `by other requests, and the next request needs up to ${tokens}`
        )
      }, Effect.orDie)

      const settle = (organization: string, tokens: number) =>
        organization === ""
          ? Effect.void
          : sql`
              insert into model_tokens as used (organization_id, month, tokens)
              select id, ${month}, greatest(0, ${tokens}::bigint) from organizations where id = ${organization}
              on conflict (organization_id, month) do update
              set tokens = greatest(0, used.tokens + ${tokens}::bigint)`.pipe(
              Effect.catch(({ message }) => Effect.logWarning("Tokens of a model were not counted", message)),
              Effect.asVoid
            )
      return { keyOf, hold, settle }
    })
  )
}
