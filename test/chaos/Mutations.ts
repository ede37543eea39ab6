/** File, text and replacement: what is changed in the services. */
export type Mutation = readonly [file: string, text: string, replacement: string]

/** Live keys send to public addresses only; the receiver of these webhooks is on this machine. */
export const toLoopback: ReadonlyArray<Mutation> = [
  [
    "outbound/TargetPolicy.ts",
    'environment === "test" ? ["https:", "http:"] : ["https:"]',
    '["https:", "http:"]'
  ],
  ["outbound/TargetPolicy.ts", 'range === "loopback" && environment === "test"', 'range === "loopback"']
]

/** The process stops just before it ends its first execution. */
export const freezing: Mutation = [
  "engine/journal/Outcome.ts",
  "const at = yield* DateTime.nowAsDate",
  `if (!globalThis.hasFrozen) { globalThis.hasFrozen = true; process.kill(process.pid, "SIGSTOP") }
   const at = yield* DateTime.nowAsDate`
]

/** What lets only the first runner end an execution. */
export const fenceInSql =
  "results := results + 1;\n        done := was_found and run.status in ('pending', 'running');"

/** The end is written whether or not the execution has ended, so that two runners may end it. */
export const fence: Mutation = [
  "sql/Migrations.ts",
  '.join("\\n")',
  `.join("\\n").replace(${JSON.stringify(fenceInSql)}, "results := results + 1; done := was_found;")`
]

/** Nobody looks for executions whose runner died. */
export const takeover: Mutation = [
  "engine/placement/Recovery.ts",
  "select id, organization_id, runner_starts from executions\n        where",
  "select id, organization_id, runner_starts from executions\n        where false and"
]
