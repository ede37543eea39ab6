import * as App from "./App.ts"
import * as StopDeadline from "./StopDeadline.ts"
import * as RulesThreads from "../extraction/threads/RulesThreads.ts"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import type { StepRegistry } from "../../dsl/model/StepRegistry.ts"
import { Settings, ownOrShipped } from "../config/Config.ts"
import { signInLink } from "../dashboard/Dashboard.ts"
import { publicAddress } from "../http/PublicAddress.ts"
import { collectWhatStartLeft, keepCodeOfStart } from "./ProcessStart.ts"
import { tellServiceManager } from "./ServiceManager.ts"
import { reportStartProblem } from "./StartProblem.ts"
import { Flows } from "../services/flows/Flows.ts"
import { type FirstKeys, FirstStart } from "../services/organizations/FirstStart.ts"

/** Prints the address of the service, and on the first start what to try. */
const announce = Layer.effectDiscard(
  Effect.gen(function* () {
    const { role } = yield* Settings
    const address = yield* publicAddress
    const first = yield* FirstStart
    yield* keepCodeOfStart
    yield* collectWhatStartLeft
    yield* tellServiceManager
    if (role === "runner") {
      yield* Console.log(`docflow is ready on ${address}/health/ready (it only runs executions)`)
      return
    }
    yield* Console.log(
      `docflow is ready on ${address}/api/v1 (reference: ${address}/docs, dashboard: ${address}/dashboard)`
    )
    if (first === undefined) return
    const { flows } = yield* (yield* Flows).list({ limit: 1000, offset: 0 })
    const ids = flows.map(({ id }) => id)
    const tried = curlLine(address, Redacted.value(first.live), ids)
    yield* Console.log(welcome(first, yield* signInLink(address), tried))
  })
)

const welcome = (keys: FirstKeys, link: string, tried: string): string =>
  `
This is the first start: the organization "default" was made, with two keys. They are shown only now.

  live key  ${Redacted.value(keys.live)}
  test key  ${Redacted.value(keys.test)}

Sign in to the dashboard (once, within 24 hours; later with the admin token):

  ${link}

Try it, in this folder:

${tried}
`

/**
 * A command that can be pasted: runs the flow invoice on the example and waits for the result. Where flows of one's own are
 * served, it runs one of these on a document that is still to be named.
 */
const curlLine = (address: string, key: string, flowIds: ReadonlyArray<string>): string => {
  const shipped = flowIds.includes("invoice")
  const flow = shipped ? "invoice" : (flowIds[0] ?? "<flow>")
  const document = shipped ? ownOrShipped("examples/invoice.pdf") : "<file>"
  return (
    `curl -s ${address}/api/v1/flows/${flow}/run -H 'Authorization: Bearer ${key}' ` +
    `-F 'document=@${document}' -F wait=true`
  )
}

/** Rules run in threads, except in a process that only answers requests. */
const rulesThreads = Layer.unwrap(
  Effect.map(Settings, ({ lexicon, role }) =>
    role === "api" ? Layer.empty : RulesThreads.layer(Option.getOrUndefined(lexicon))
  )
)

/** Runs the service, with step kinds in addition to docflow's, until it receives a signal to stop. */
export const serveWith = (own: StepRegistry<never>) =>
  Layer.launch(
    announce.pipe(
      Layer.provide(App.layerBeside(own)),
      Layer.provide(rulesThreads),
      Layer.provide(StopDeadline.layer),
      Layer.provide(Settings.layer)
    )
  ).pipe(reportStartProblem)

/** Runs the service until it receives a signal to stop. */
export const serve = serveWith({ kinds: new Map() })
