import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Backtest } from "../domain/Backtest.ts"
import { CorrectionsOutdated } from "../domain/Corrections.ts"
import {
  ExecutionNotFound,
  FlowNotFound,
  InvalidDocument,
  ValidationFailed,
  VersionNotFound
} from "../domain/Errors.ts"
import { ExportedCase } from "../domain/ExportedCase.ts"
import { OutputCorrections, SaveOutputCorrections } from "../domain/OutputCorrections.ts"
import { id } from "./AdminParts.ts"
import { envelope } from "./ErrorEnvelope.ts"
import { BodyLimit, Contract, Defects, Gate, RequiredScope } from "./Gate.ts"

const executionId = Schema.String.annotate({ description: "The execution's id, as the run returned it." })

/** The maximum size of corrections, in bytes: the cells of a large table. */
export const maxCorrectionsBytes = 2 * 1024 * 1024

/** What people corrected of an execution. */
export class CorrectionsApi extends HttpApiGroup.make("corrections")
  .add(
    HttpApiEndpoint.get("get", "/runs/:executionId/corrections", {
      params: { executionId },
      success: OutputCorrections,
      error: [envelope(ExecutionNotFound), envelope(InvalidDocument)]
    })
      .annotate(RequiredScope, "corrections:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Read the corrections of an execution",
          description:
            "Every corrected or confirmed value, who saved it and when, and the corrected output. Scope: `corrections:read`."
        })
      )
  )
  .add(
    HttpApiEndpoint.put("save", "/runs/:executionId/corrections", {
      params: { executionId },
      payload: SaveOutputCorrections,
      success: OutputCorrections,
      error: [
        envelope(ExecutionNotFound),
        envelope(InvalidDocument),
        envelope(ValidationFailed),
        envelope(CorrectionsOutdated, "INVALID_INPUT")
      ]
    })
      .annotate(RequiredScope, "corrections:write")
      .annotate(BodyLimit, undefined)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Correct or confirm values of an execution",
          description:
            "Adds to the corrections saved before; the same path again replaces its correction, and a table the " +
            "corrections of its cells. A string is read as a " +
            "number or date where the flow expects one. `ifMatch` is the one that `GET` returned: 409 if somebody else " +
            "saved in the meantime. The execution's output never changes. Scope: `corrections:write`."
        })
      )
  )
  .add(
    HttpApiEndpoint.get("testSet", "/runs/:executionId/test-set", {
      params: { executionId },
      success: ExportedCase,
      error: [envelope(ExecutionNotFound), envelope(InvalidDocument), envelope(ValidationFailed)]
    })
      .annotate(RequiredScope, "corrections:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Read the corrections of an execution as a test set",
          description:
            "The corrected and confirmed values as a case that `docflow test` reads, with the document if the " +
            "organization allows that. Scope: `corrections:read`."
        })
      )
  )
  .add(
    HttpApiEndpoint.post("backtest", "/flows/:flowId/backtest", {
      params: { flowId: Schema.String.annotate({ description: "The flow's id, as GET /flows lists it." }) },
      query: {
        version: Schema.optional(Schema.String).annotate({
          description: "Version to test. Default: the latest."
        }),
        after: Schema.optional(id).annotate({
          description: "`next` of the previous part. Default: the first part."
        }),
        limit: Schema.optional(
          Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 20 }))
        ).annotate({ description: "Maximum number of executions to run again, 1 to 20. Default: 5." })
      },
      success: Backtest,
      error: [
        envelope(FlowNotFound),
        envelope(VersionNotFound),
        envelope(ExecutionNotFound),
        envelope(InvalidDocument)
      ]
    })
      .annotate(RequiredScope, "flows:execute")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Test a version on corrected executions",
          description:
            "Runs a part of the flow's corrected executions again and compares the outputs with what people corrected or " +
            "confirmed. Repeat the request until no execution is `running`: within 24 hours it continues with the same replays, " +
            "which cost what any replay costs and send no webhooks. Scopes: `flows:execute` and `corrections:read`."
        })
      )
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(Gate)
  .prefix("/api/v1")
  .annotateMerge(OpenApi.annotations({ title: "Corrections" })) {}
