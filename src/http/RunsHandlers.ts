import { Effect, Option, Struct } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { ServedApi } from "./ServedApi.ts"
import { CurrentCaller } from "../api/Gate.ts"
import { pageOf } from "../api/Paging.ts"
import type { Caller } from "../domain/ApiKey.ts"
import { InvalidInput } from "../domain/Errors.ts"
import { ExecutionEvents } from "../services/events/ExecutionEvents.ts"
import { ExecutionList, momentOf } from "../services/executions/ExecutionList.ts"
import { CurrentIntakeSlot } from "../services/admission/Overload.ts"
import { Executions } from "../services/executions/Executions.ts"
import type { Execution } from "../domain/Execution.ts"
import { FlowDrafts } from "../services/proposals/FlowDrafts.ts"
import { ApiKeys } from "../services/organizations/ApiKeys.ts"
import { Replays } from "../services/replays/Replays.ts"
import { Sessions } from "../services/users/Sessions.ts"
import { bodyRefusedAnswer, executionAnswer, replayedHeader } from "./Answers.ts"
import { eventStreamAnswer } from "./EventStreamAnswer.ts"
import { JsonBody } from "./JsonBody.ts"
import { makeIncludingRead, readInclude } from "./ReadInclude.ts"
import { readReplayRequest } from "./ReadRunRequest.ts"
import { RequestId } from "./RequestId.ts"
import * as SessionCookie from "./SessionCookie.ts"

const maxReplayBytes = 64 * 1024

/** `/runs`, and what can be done with an execution: `/runs/{executionId}` and below. */
export const layer = HttpApiBuilder.group(
  ServedApi,
  "runs",
  Effect.fn(function* (handlers) {
    const executions = yield* Executions
    const lists = yield* ExecutionList
    const events = yield* ExecutionEvents
    const replays = yield* Replays
    const readIncluding = yield* makeIncludingRead
    const drafts = yield* FlowDrafts
    const keys = yield* ApiKeys
    const sessions = yield* Sessions
    const body = yield* JsonBody

    /** Whether the key or session of the request is valid; checked again while its stream lasts. */
    const stillValid = Effect.fnUntraced(function* ({ keyId }: Caller) {
      const session = yield* SessionCookie.read
      const key = yield* HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)
      const isFound =
        keyId === undefined
          ? Effect.map(sessions.find(session), (person) => person !== undefined)
          : Effect.as(keys.authenticate(key), true)
      return isFound.pipe(
        Effect.catchTag("SqlError", () => Effect.succeed(true)),
        Effect.orElseSucceed(() => false)
      )
    })

    /** The draft as which a person replays an execution. */
    const draftOf = Effect.fnUntraced(function* (caller: Caller, executionId: string, version?: string) {
      if (caller.keyId !== undefined || version === undefined) return undefined
      const { flowId } = yield* executions.get(caller, executionId, { output: false })
      return yield* drafts.forCaller(caller, flowId, version)
    })

    const replay = Effect.fn("POST /runs/{executionId}/replay")(function* (executionId: string) {
      const caller = yield* CurrentCaller
      const request = yield* readReplayRequest(
        yield* (yield* CurrentIntakeSlot).aside(body.readIfAny(maxReplayBytes))
      )
      const draft = yield* draftOf(caller, executionId, request.version)
      const accepted = yield* replays.replay(caller, executionId, request, yield* RequestId, draft)
      yield* Effect.annotateCurrentSpan({ "docflow.execution": accepted.executionId })
      if (accepted._tag === "Replayed") yield* replayedHeader
      const found = yield* executions.get(caller, accepted.executionId)
      return yield* executionAnswer(accepted._tag === "New" ? asAccepted(found) : found)
    })

    return handlers
      .handle("list", ({ query }) =>
        Effect.gen(function* () {
          const { cursor, limit: most, ...wanted } = query
          const filter = {
            status: wanted.status,
            flowId: wanted.flowId,
            createdAfter: yield* readMoment("createdAfter", wanted.createdAfter),
            createdBefore: yield* readMoment("createdBefore", wanted.createdBefore),
            metadata: yield* metadataWanted
          }
          const { limit } = pageOf({ limit: most })
          const page = yield* lists.page(yield* CurrentCaller, filter, { limit, cursor })
          return { executions: page.executions, limit, nextCursor: page.nextCursor ?? null }
        })
      )
      .handleRaw("get", ({ params, query }) =>
        Effect.gen(function* () {
          const include = yield* readInclude(query.include)
          return yield* executionAnswer(
            yield* readIncluding(yield* CurrentCaller, params.executionId, include)
          )
        })
      )
      .handleRaw("replay", ({ params }) =>
        Effect.catchTag(replay(params.executionId), "BodyRefused", bodyRefusedAnswer)
      )
      .handle("diff", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) => replays.diff(caller, params.executionId, params.otherId))
      )
      .handleRaw("events", ({ headers, params }) =>
        Effect.gen(function* () {
          const after = Number(headers["last-event-id"] ?? "")
          const stream = yield* events.follow(yield* CurrentCaller, params.executionId, after)
          if (Option.isNone(stream)) return HttpServerResponse.empty({ status: 204 })
          return eventStreamAnswer(stream.value, yield* stillValid(yield* CurrentCaller))
        })
      )
      .handle("cancel", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) => executions.cancel(caller, params.executionId))
      )
  })
)

const readMoment = (field: string, text: string | undefined) => {
  if (text === undefined) return Effect.undefined
  const moment = momentOf(text)
  return moment === undefined
    ? new InvalidInput({
        message: `Invalid ${field}. Write a date, or a date and time with its zone, such as 2026-11-20T09:30:00Z`,
        details: { field, reason: "must be a date, or a date and time with its zone" }
      })
    : Effect.succeed(moment)
}

const metadataPrefix = "metadata."
const mostMetadata = 10

/** The query parameters `metadata.<key>`, which no schema can list. */
const metadataWanted = Effect.gen(function* () {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const { searchParams } = new URL(url, "http://localhost")
  const given = [...searchParams].filter(([name]) => name.startsWith(metadataPrefix))
  if (given.length > mostMetadata) {
    return yield* new InvalidInput({
      message: `Too many parameters ${metadataPrefix}<key>: at most ${mostMetadata} are allowed`,
      details: { field: "metadata", reason: `must be at most ${mostMetadata}` }
    })
  }
  return given.map(([name, value]) => [name.slice(metadataPrefix.length), value] as const)
})

/** A new execution as it was created, `pending`, however soon it starts. */
const asAccepted = (execution: Execution): Execution => ({
  ...Struct.omit(execution, ["progress"]),
  status: "pending"
})
