import { Context, type Effect } from "effect"
import type { Environment } from "../../domain/Organization.ts"
import type { OutputCorrections } from "../../domain/OutputCorrections.ts"

/** What people corrected of an execution, for the webhook that reports it. */
export class ReportedCorrections extends Context.Service<
  ReportedCorrections,
  {
    /** All that holds now; fails where it cannot be read now. */
    find(execution: {
      readonly id: string
      readonly organizationId: string
      readonly environment: Environment
    }): Effect.Effect<OutputCorrections, { readonly message: string }>
  }
>()("docflow/Webhooks/ReportedCorrections") {}
