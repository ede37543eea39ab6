import { Context, Deferred, Effect, Layer, Predicate, Schema } from "effect"
import { ValidationFailed } from "../domain/Errors.ts"
import { Settings } from "../config/Config.ts"
import { documentFetcher } from "../services/executions/FetchDocument.ts"
import { BodyRefused } from "./BodyRefused.ts"
import type { RunBody } from "./RunBody.ts"
import { FairSlots } from "../support/FairSlots.ts"

/**
 * The number of documents fetched at the same time: in all, and for one organization. Each may take half a minute and
 * the maximum size.
 */
const mostAtOnce = 8
const mostOfOne = 2
/** The number of requests of one organization that may wait for a slot, and for how long. */
const mostWaiting = 30
const patience = "10 seconds"

/**
 * The slots in which documents are fetched. A document is fetched as soon as a slot is free; `with` fails with `busy` if none is free
 * within ten seconds, or if too many requests of its organization wait already.
 */
export const makeFetchSlots = () => {
  const slots = new FairSlots<string>(mostAtOnce, mostOfOne)
  return {
    with: <A, E, R, E2>(owner: string, fetching: Effect.Effect<A, E, R>, busy: Effect.Effect<never, E2>) =>
      Effect.suspend((): Effect.Effect<A, E | E2, R> => {
        if (slots.jobsOf(owner) >= mostOfOne + mostWaiting) return busy
        const begun = Deferred.makeUnsafe<void>()
        const tooLong = Deferred.await(begun).pipe(
          Effect.timeoutOrElse({ duration: patience, orElse: () => busy }),
          Effect.andThen(Effect.never)
        )
        const inSlot = slots.with(owner, Effect.andThen(Deferred.succeed(begun, undefined), fetching))
        return Effect.raceFirst(inSlot, tooLong)
      })
  }
}

const ByUrl = Schema.Struct({
  input: Schema.Struct({ document: Schema.Struct({ url: Schema.String.check(Schema.isMaxLength(2_048)) }) })
})
const isByUrl = Schema.is(ByUrl)

const refuse = (reason: string) =>
  new ValidationFailed({
    message: `Invalid document URL: ${reason}`,
    details: { field: "input.document.url", reason }
  })

const busy = new BodyRefused({
  status: 503,
  code: "SERVICE_UNAVAILABLE",
  message: "Too many documents are being fetched; try again in a second"
})

/** Fetches the documents of runs that name a URL instead of sending bytes. */
export class FetchInput extends Context.Service<
  FetchInput,
  {
    /**
     * The body of a run with the bytes of its document in place of the URL; any other body unchanged. Fetched by the
     * rules of live keys, whatever the key: a response reveals what was fetched, so nothing on this machine's networks
     * may be fetched.
     */
    resolve(body: RunBody, owner: string): Effect.Effect<RunBody, ValidationFailed | BodyRefused>
  }
>()("docflow/http/FetchInput") {
  static readonly layer = Layer.effect(
    FetchInput,
    Effect.gen(function* () {
      const fetchDocument = yield* documentFetcher
      const { maxFileMB } = yield* Settings
      const places = makeFetchSlots()

      const fetched = Effect.fn("FetchInput.fetch")(function* (json: typeof ByUrl.Type, owner: string) {
        const { document } = json.input
        if (Predicate.hasProperty(document, "base64"))
          return yield* refuse("send either `base64` or `url`, not both")
        const file = yield* places
          .with(owner, fetchDocument(document.url, "live", maxFileMB * 1024 * 1024), busy)
          .pipe(Effect.catchTag("NotFetched", ({ reason }) => refuse(reason)))
        const { url: _, ...declared } = document
        const named = file.filename === undefined ? {} : { filename: file.filename }
        const input = { ...json.input, document: { ...named, ...declared, base64: "" } }
        return { json: { ...json, input }, document: file.bytes } satisfies RunBody
      })
      return FetchInput.of({
        resolve: (body, owner) => (isByUrl(body.json) ? fetched(body.json, owner) : Effect.succeed(body))
      })
    })
  )
}
