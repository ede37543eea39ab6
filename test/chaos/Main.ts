import { parseArgs } from "node:util"
import { type ChaosOptions, runChaos } from "./Chaos.ts"
import { hasNginx } from "../support/Nginx.ts"
import { hasPgBouncer } from "../support/PgBouncer.ts"
import { fence, type Mutation, takeover } from "./Mutations.ts"

const { values } = parseArgs({
  options: {
    /** Which blows fall; all together if omitted. */
    form: { type: "string", default: "all" },
    /** Breaks the services on purpose: the run must then find something. */
    without: { type: "string" },
    seed: { type: "string", default: "1" },
    executions: { type: "string" }
  }
})

const enough = { allowed: 100, each: 10 }
const patience = 180

/** The forms of chaos, by name. */
const forms: Readonly<Record<string, Omit<ChaosOptions, "seed" | "mutation">>> = {
  kill: {
    executions: 300,
    seconds: 60,
    blows: { kill: 3 },
    least: { kill: 15 },
    connections: enough,
    patience
  },
  restart: { executions: 300, seconds: 60, blows: { restart: 8 }, connections: enough, patience },
  freeze: { executions: 300, seconds: 100, blows: { freeze: 40 }, connections: enough, patience },
  connections: {
    executions: 300,
    seconds: 30,
    blows: {},
    // One more than there are, once the three for superusers are taken off: each process starts, and none has all it may take.
    connections: { allowed: 20, each: 6 },
    patience
  },
  roll: { executions: 300, seconds: 60, blows: { roll: 5 }, connections: enough, patience },
  // Everything fails closed: clocks go wrong, everybody's table hangs for a minute, and processes are killed meanwhile.
  closed: {
    executions: 300,
    seconds: 120,
    blows: { kill: 8, shift: 6, lock: 60 },
    least: { kill: 12 },
    connections: enough,
    patience
  },
  // The connections to the database pass nothing on, as after a firewall forgot them, or as the host behind a name vanished.
  silence: {
    executions: 300,
    seconds: 100,
    blows: { silence: 15, kill: 25 },
    least: { silence: 4 },
    connections: enough,
    way: "proxy",
    patience
  },
  // The primary takes no writes for a while, then ends, and its standby becomes the primary.
  switchover: {
    executions: 300,
    seconds: 100,
    blows: { switchover: 15 },
    least: { switchover: 4 },
    connections: enough,
    way: "pair",
    patience
  },
  pgbouncer: {
    executions: 300,
    seconds: 60,
    blows: { kill: 6, restart: 12 },
    least: { kill: 5, restart: 3 },
    connections: enough,
    way: "pgbouncer",
    patience
  },
  // Twenty times, two processes behind nginx are replaced one after the other.
  deploy: {
    executions: 400,
    seconds: 240,
    blows: { roll: 2 },
    least: { roll: 40 },
    connections: enough,
    isDeploy: true,
    patience
  },
  // A frozen process wakes up to end an execution that another one has ended. Others are unfinished then: were nothing
  // reserved, the balance that may not be negative would refuse the second charge even without the fence.
  stale: {
    executions: 90,
    seconds: 45,
    blows: {},
    connections: enough,
    freezeBeforeEnd: 25,
    patience: 60
  },
  // Two kills at least, and little else.
  short: {
    executions: 60,
    seconds: 20,
    blows: { kill: 6 },
    least: { kill: 2 },
    connections: enough,
    patience: 60
  },
  all: {
    executions: 2_000,
    seconds: 240,
    blows: { kill: 1, restart: 8, freeze: 40, roll: 80, shift: 10, lock: 60 },
    least: { kill: 60 },
    connections: { allowed: 20, each: 5 },
    patience: 300
  }
}

/** What is broken, by its name, and the form that notices it. */
const broken: Readonly<Record<string, { readonly form: string; readonly mutation: Mutation }>> = {
  fence: { form: "stale", mutation: fence },
  takeover: { form: "short", mutation: takeover }
}

const wanted = <A>(what: string, name: string, all: Readonly<Record<string, A>>): A => {
  const found = all[name]
  if (found === undefined)
    throw new Error(`--${what} ${name} is unknown. Use one of: ${Object.keys(all).join(", ")}`)
  return found
}

/** Programs that a form needs and that are not installed. */
const missing = ({ isDeploy, way }: Partial<ChaosOptions>): ReadonlyArray<string> => [
  ...(isDeploy === true && !hasNginx ? ["nginx"] : []),
  ...(way === "pgbouncer" && !hasPgBouncer ? ["pgbouncer"] : [])
]

const variant = values.without === undefined ? undefined : wanted("without", values.without, broken)
const form = wanted("form", variant?.form ?? values.form, forms)
if (missing(form).length > 0) {
  console.log(`skipped: no ${missing(form).join(", ")} here`)
  process.exit(0)
}
const problems = await runChaos({
  ...form,
  ...(values.executions === undefined ? {} : { executions: Number(values.executions) }),
  seed: Number(values.seed),
  ...(variant === undefined ? {} : { mutation: variant.mutation })
})
for (const problem of problems.slice(0, 20)) console.log(problem)
console.log(problems.length === 0 ? "nothing is wrong" : `${problems.length} things are wrong`)
process.exit((problems.length === 0) === (variant === undefined) ? 0 : 1)
