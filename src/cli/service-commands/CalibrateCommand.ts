import { Console, Effect, Option, Result, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CorrectedScoreList } from "../../api/CalibrationEndpoints.ts"
import type { CorrectedScore } from "../../domain/CorrectedScore.ts"
import { sureFrom } from "../../domain/Evidence.ts"
import type { Organization } from "../../domain/Organization.ts"
import { defined } from "../../support/Defined.ts"
import { crossValidated } from "../../services/calibration/FitCurves.ts"
import { makeCalibration } from "../../services/calibration/MakeCalibration.ts"
import type { Observation } from "../../services/calibration/Observation.ts"
import {
  atThreshold,
  calibrationError,
  isWorse,
  type Judged,
  worseText
} from "../../services/calibration/Reliability.ts"
import { fail } from "../CommandFailed.ts"
import { textTable } from "../TextTable.ts"
import { organizationOf, organizations } from "./OrganizationOf.ts"
import { administer } from "./ServiceAccess.ts"

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const perRequest = 100

interface Wanted {
  readonly flow: string
  readonly version: string | undefined
  readonly environment: string
}

/** The scores of all corrected executions of an organization, and the version of the flow that they are of. */
const scoresOf = Effect.fnUntraced(function* ({ id }: Organization, wanted: Wanted) {
  const scores: Array<CorrectedScore> = []
  let offset = 0
  for (;;) {
    const { environment, flow, version } = wanted
    const query = {
      flowId: flow,
      environment,
      limit: `${perRequest}`,
      offset: `${offset}`,
      ...defined({ version })
    }
    const path = `/organizations/${id}/corrections/scores?${new URLSearchParams(query).toString()}`
    const part = yield* administer("GET", path, CorrectedScoreList)
    scores.push(...part.scores)
    offset += perRequest
    if (offset >= part.total) return { scores, version: part.version }
  }
})

/** Of a correction the type of its field is not known: one curve serves all types. */
const observationOf = ({
  by,
  document,
  executionId,
  field,
  issuer,
  said,
  score
}: CorrectedScore): Observation => ({
  of: { field, type: "", by, document },
  score,
  right: said !== "corrected",
  document: executionId,
  ...defined({ issuer })
})

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const rowsOf = (judged: ReadonlyArray<Judged>): ReadonlyArray<string> => {
  const { values, wrong } = atThreshold(judged, sureFrom)
  return [percent(calibrationError(judged)), `${values}`, `${wrong}`]
}

/** What the confidences were worth until now, and what they will be worth, on documents that were not used to fit them. */
const comparison = (now: ReadonlyArray<Judged>, after: ReadonlyArray<Judged>): string => {
  const names = ["confidence and truth apart", `sure values (${sureFrom} or more)`, "sure and wrong"]
  const [before, then] = [rowsOf(now), rowsOf(after)]
  return textTable([
    ["", "now", "after"],
    ...names.map((name, at) => [name, before[at] ?? "", then[at] ?? ""])
  ]).join("\n")
}

const nothingStored = `Nothing was stored. ${worseText} Correct or confirm documents of more issuers`

/** `docflow calibrate`: fits the confidences of a flow to what people corrected, and stores them when told to. */
export const calibrateCommand = Command.make(
  "calibrate",
  {
    flow: Argument.String("flow").pipe(Argument.withDescription("Id of a flow of the service")),
    flowVersion: Flag.String("flow-version").pipe(
      Flag.withDescription("Version of the flow. Default: the latest"),
      Flag.optional
    ),
    organization: Flag.String("organization").pipe(
      Flag.withDescription("Id or name of the organization whose corrections count. Default: all of them"),
      Flag.optional
    ),
    environment: Flag.Literals("environment", ["live", "test"]).pipe(
      Flag.withDescription("Environment whose corrections count. Default: live"),
      Flag.withDefault("live")
    ),
    untouched: flag(
      "untouched-right",
      "Count values that nobody touched as right, in executions with nothing left to review"
    ),
    write: flag("write", "Store the calibration in the flows folder of the service"),
    json: flag("json", "Print JSON")
  },
  Effect.fnUntraced(function* ({ environment, flow, flowVersion, json, organization, untouched, write }) {
    const of = Option.isSome(organization) ? [yield* organizationOf(organization)] : yield* organizations
    const wanted = { flow, version: Option.getOrUndefined(flowVersion), environment }
    const read = yield* Effect.forEach(of, (one) => scoresOf(one, wanted))
    const version = read[0]?.version
    if (version === undefined) return yield* fail("The service has no organizations")
    const scores = read.flatMap((one) => one.scores).filter(({ said }) => untouched || said !== "nothing")
    const observations = scores.map(observationOf)
    const made = makeCalibration({ id: flow, version }, observations)
    if (Result.isFailure(made))
      return yield* fail(`${made.failure} Correct or confirm documents of more issuers`)
    const now = scores.map(({ confidence, said }) => ({ confidence, right: said !== "corrected" }))
    const after = crossValidated(observations)
    const worse = isWorse(now, after)
    if (write && worse) return yield* fail(nothingStored)
    if (write) {
      const Stored = Schema.Struct({ flow: Schema.String, version: Schema.String })
      yield* administer("PUT", `/flows/${flow}/calibration`, Stored, { calibration: made.success })
    }
    if (json) return yield* Console.log(JSON.stringify({ ...made.success, isStored: write }))
    const { documents, values, wrong } = made.success.fitted
    yield* Console.log(
      `${flow} ${version}: ${values} values of ${documents} documents, ${wrong} of them corrected`
    )
    yield* Console.log(comparison(now, after))
    yield* Console.log(
      write
        ? "The calibration is stored: the service applies it to new executions."
        : worse
          ? nothingStored
          : "Nothing was stored. Add --write to store the calibration."
    )
  })
).pipe(
  Command.withDescription(
    "Fit the confidences of a flow to what people corrected at a running service (DOCFLOW_URL), with the admin token"
  ),
  Command.withShortDescription("Fit the confidences of a flow to what people corrected")
)
