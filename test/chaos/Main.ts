import { parseArgs } from "node:util"
import { type ChaosOptions, runChaos } from "./Chaos.ts"
import { defined } from "../../src/domain/Defined.ts"

const { values } = parseArgs({
  options: {
    /** At most a minute. */
    short: { type: "boolean", default: false },
    /** Breaks the services on purpose: the run must then find something. */
    without: { type: "string" },
    seed: { type: "string", default: "1" },
    executions: { type: "string" }
  }
})

/** What is broken, by its name. */
const mutations: Readonly<Record<string, NonNullable<ChaosOptions["mutation"]>>> = {
  // The condition on the outcome's update, by which one runner ends an execution and no other.
  fence: [
    "migrations/0007_statements.ts",
    "e.id = execution and e.status in ('pending', 'running') for update",
    "e.id = execution for update"
  ],
  // The look for executions whose runner died.
  takeover: [
    "engine/Recovery.ts",
    "select id, organization_id from executions\n        where",
    "select id, organization_id from executions\n        where false and"
  ]
}

const mutation = values.without === undefined ? undefined : mutations[values.without]
if (values.without !== undefined && mutation === undefined) {
  throw new Error(`--without ${values.without} is unknown. Use one of: ${Object.keys(mutations).join(", ")}`)
}
const size = values.short
  ? { executions: 150, killEvery: 4, restartEvery: 10, freezeFor: 12, patience: 60 }
  : { executions: 2_000, killEvery: 1, restartEvery: 8, freezeFor: 40, patience: 300 }
const executions = values.executions === undefined ? size.executions : Number(values.executions)

const problems = await runChaos({
  ...size,
  executions,
  seed: Number(values.seed),
  ...defined({ mutation })
})
for (const problem of problems.slice(0, 20)) console.log(problem)
console.log(problems.length === 0 ? "nothing is wrong" : `${problems.length} things are wrong`)
process.exit((problems.length === 0) === (mutation === undefined) ? 0 : 1)
