import { Context } from "effect"

/** Who asks, from where, in which request: what the audit log says of every act. */
export interface Origin {
  /** `key <id>`, `admin token`, `session`, or `system` for what docflow does by itself. */
  readonly actor: string
  readonly address: string | undefined
  readonly requestId: string | undefined
}

/** The origin of what is being done; the gates set it. */
export const CurrentOrigin = Context.Reference<Origin>("docflow/domain/CurrentOrigin", {
  defaultValue: () => ({ actor: "system", address: undefined, requestId: undefined })
})
