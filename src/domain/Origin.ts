import { Context } from "effect"

/** Who acts, from where, in which request, as recorded in the audit log. */
export interface Origin {
  /** `key <id>`, `admin token`, `user <name>`, `session` (of the admin token or of a sign-in link), or `system` for actions of docflow itself. */
  readonly actor: string
  readonly address: string | undefined
  readonly requestId: string | undefined
}

/** The origin of the current action; the gates set it. */
export const CurrentOrigin = Context.Reference<Origin>("docflow/domain/CurrentOrigin", {
  defaultValue: () => ({ actor: "system", address: undefined, requestId: undefined })
})
