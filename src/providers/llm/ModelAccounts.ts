import { Context, Effect, type Option, type Redacted } from "effect"

/** Keys that organizations have at providers, and their budgets of tokens. Local runs have neither. */
export const ModelAccounts = Context.Reference<{
  /** The organization's own key for a provider. */
  readonly keyOf: (organization: string, provider: string) => Effect.Effect<Option.Option<Redacted.Redacted>>
  /**
   * Counts the tokens that a request needs at most; if the budget does not have them, counts none and says so. A process that
   * dies leaves them counted: its request may have been paid for.
   */
  readonly hold: (organization: string, tokens: number) => Effect.Effect<string | undefined>
  /** Counts what a request has used, less what was held for it. */
  readonly settle: (organization: string, tokens: number) => Effect.Effect<void>
}>("docflow/providers/ModelAccounts", {
  defaultValue: () => ({
    keyOf: () => Effect.succeedNone,
    hold: () => Effect.undefined,
    settle: () => Effect.void
  })
})
