import { Effect, Layer } from "effect"
import { operatorOf } from "../../domain/ApiKey.ts"
import { ReportedCorrections } from "../webhooks/ReportedCorrections.ts"
import { ExecutionCorrections } from "./ExecutionCorrections.ts"

/** Gives webhooks the corrections as `GET /runs/{executionId}/corrections` returns them. */
export const layer = Layer.effect(
  ReportedCorrections,
  Effect.map(ExecutionCorrections, (corrections) =>
    ReportedCorrections.of({
      find: ({ environment, id, organizationId }) =>
        corrections.getByPath(operatorOf(organizationId, environment), id)
    })
  )
)
