import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { envelope } from "../api/ErrorEnvelope.ts"
import { EventStream, lastEventId } from "../api/EventStream.ts"
import { BodyLimit, Contract, Defects } from "../api/Gate.ts"
import { NotFound } from "../api/NotFound.ts"
import { replayErrors } from "../api/ReplayErrors.ts"
import { ConcurrentLimit } from "../domain/Errors.ts"
import { Environment } from "../domain/Organization.ts"
import { ReplayRequest } from "../domain/Replay.ts"
import { RunRequest } from "../domain/RunRequest.ts"
import { SameOrigin } from "./SameOrigin.ts"
import { SignedIn } from "./SignedIn.ts"

const accepted = Schema.Struct({ executionId: Schema.String })
const refusals = [envelope(NotFound, "INVALID_INPUT"), ...replayErrors] as const

/** Running flows from the dashboard, on behalf of an organization. */
export class TryGroup extends HttpApiGroup.make("try")
  .add(
    HttpApiEndpoint.post("run", "/organizations/:id/flows/:flowId/run", {
      params: { id: Schema.String, flowId: Schema.String },
      query: { environment: Environment },
      payload: RunRequest,
      success: accepted,
      error: refusals
    }).annotate(BodyLimit, undefined),
    HttpApiEndpoint.get("events", "/executions/:id/events", {
      params: { id: Schema.String },
      headers: { "last-event-id": lastEventId },
      success: [EventStream, HttpApiSchema.NoContent],
      error: [envelope(NotFound, "INVALID_INPUT"), envelope(ConcurrentLimit)]
    }),
    HttpApiEndpoint.post("replay", "/executions/:id/replay", {
      params: { id: Schema.String },
      payload: ReplayRequest,
      success: accepted,
      error: refusals
    })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(SignedIn)
  .middleware(SameOrigin) {}
