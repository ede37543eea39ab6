import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export type Row = Readonly<Record<string, unknown>>

export const query = (text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(text, values))

export const makeOrganization = (id: string, credits: number) =>
  query("insert into organizations (id, name, plan, available) values ($1, 'test', 'pro', $2::float8)", [
    id,
    credits
  ])

/** Rows of an organization, without what names it or is chosen at random, and with its executions numbered. */
export const leftBy = Effect.fnUntraced(function* (organization: string) {
  const of = (text: string) =>
    Effect.map(query(text, [organization]), (rows) =>
      JSON.stringify(rows)
        .replaceAll(organization, "org")
        .replaceAll(/"dlv_[^"]*"/gu, '"dlv"')
    )
  return {
    totals: yield* of("select available, reserved from organizations where id = $1"),
    executions: yield* of(`select e.* from executions e where organization_id = $1 order by e.id`),
    results: yield* of(
      `select r.* from step_results r join executions e on e.id = r.execution_id
       where e.organization_id = $1 order by r.execution_id, r.path`
    ),
    events: yield* of(
      `select v.* from execution_events v join executions e on e.id = v.execution_id
       where e.organization_id = $1 order by v.execution_id, v.seq`
    ),
    postings: yield* of(
      `select account, kind, amount, execution_id, reason, at from ledger_postings
       where organization_id = $1 order by id`
    ),
    transfers: yield* of(
      `select sum(amount) as sum, count(*)::int as postings from ledger_postings
       where organization_id = $1 group by transaction_id order by min(id)`
    ),
    keys: yield* of(
      "select key, fingerprint, execution_id from idempotency_keys where organization_id = $1 order by key"
    ),
    deliveries: yield* of(
      `select d.execution_id, d.event, d.url, d.status, d.next_attempt_at from deliveries d
       join executions e on e.id = d.execution_id where e.organization_id = $1 order by d.execution_id, d.event`
    ),
    audit: yield* of(
      "select at, action, actor, subject, address, request_id from audit_log where organization_id = $1 order by id"
    ),
    uses: yield* of(
      `select u.blob, u.execution_id, u.purpose, b.bytes from blob_uses u join executions e on e.id = u.execution_id
       left join blobs b on b.blob = u.blob where e.organization_id = $1 order by u.execution_id`
    )
  }
})

const at = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`

/** Part of an acceptance, as it is sent. */
export interface Acceptance {
  readonly cost: number
  readonly concurrency: number
  readonly key: string | undefined
  readonly fingerprint: string
  readonly hook: string | undefined
  readonly events: ReadonlyArray<string> | undefined
  readonly bytes: string | undefined
  /** Steps whose results are taken over from another execution. */
  readonly reused: ReadonlyArray<string> | undefined
}

/** The acceptances of one statement, as JSON. */
export const acceptances = (organization: string, wanted: ReadonlyArray<Acceptance>, batch: number) =>
  wanted.map(({ cost, key, ...rest }, n) => ({
    n,
    execution: `exec_${batch}_${n}_${organization}`,
    organization,
    environment: "live",
    flow: "one",
    version: "1.0.0",
    at: at(batch),
    document: { blob: `blob_${organization}_${n % 2}`, pageCount: 1 },
    variables: { a: 1 },
    pages: 1,
    steps: 3,
    cost,
    idempotency: key,
    since: at(0),
    action: "execution.run",
    actor: "key",
    address: "127.0.0.1",
    ...rest
  }))

/** As the release before 0026 accepted runs. */
export const acceptAsBefore = (organization: string, sent: ReturnType<typeof acceptances>) => {
  const hooks = sent.flatMap(({ events, execution }) => (events === undefined ? [] : [{ execution, events }]))
  const own = sent.map(() => organization)
  const environments = sent.map(() => "live")
  return query(
    "select * from accept_new_runs($1::text::json, $2::text::json, string_to_array($3, ' '), string_to_array($4, ' ')) order by n",
    [JSON.stringify(sent), JSON.stringify(hooks), own.join(" "), environments.join(" ")]
  )
}

export const acceptNow = (organization: string, sent: ReturnType<typeof acceptances>) =>
  query("select * from accept_together($1::text::json, string_to_array($2, ' ')) order by n", [
    JSON.stringify(sent),
    sent.map(() => organization).join(" ")
  ])

interface Sent {
  readonly act: string
  readonly [member: string]: unknown
}

/** What one statement writes of each execution: the older release knows ends only as the last write. */
export type Statement = ReadonlyArray<readonly [ReadonlyArray<Sent>, Sent | undefined]>

const detailsOf = (minute: number) => ({
  moment: at(minute),
  started: at(minute),
  duration: 1,
  attempts: 1,
  entry: { x: 1 }
})

/** The writes of a statement, numbered in their order, and separately the ends. */
export const numbered = (wanted: Statement, minute: number) => {
  let n = 0
  return wanted.map(([writes, last]) => ({
    writes: writes.map((sent) => ({ n: n++, ...detailsOf(minute), ...sent })),
    end: last === undefined ? undefined : { n: n++, moment: at(minute), ...last }
  }))
}

const outputOf = (sent: object): ReadonlyArray<string> =>
  "output" in sent && typeof sent.output === "string" ? [sent.output] : []
const withoutOutput = (sent: object): string => {
  const { output: _, ...rest } = { output: undefined, ...sent }
  return JSON.stringify(rest)
}
const parted = (parts: ReadonlyArray<string>) => parts.join("\u001E")

/** As the release before 0026 wrote. */
export const writeAsBefore = (ids: ReadonlyArray<string>, wanted: ReturnType<typeof numbered>) => {
  const runs = wanted.flatMap(({ writes }, place) =>
    writes.length === 0 ? [] : [{ id: ids[place], writes }]
  )
  const ends = wanted.flatMap(({ end: last }, place) =>
    last === undefined
      ? []
      : [{ ...last, execution: ids[place], delivery: `dlv_before_${ids[place]}_${last.moment}` }]
  )
  return query(
    `select * from write_runs(string_to_array($1, $5), string_to_array($2, $5), string_to_array($3, $5), $4::text::json, $6)
     order by n`,
    [
      parted(runs.map(({ id }) => id ?? "")),
      parted(runs.map(({ writes }) => `[${writes.map(withoutOutput).join(",")}]`)),
      parted(runs.map(({ writes }) => writes.flatMap(outputOf).join("\n"))),
      `[${ends.map(withoutOutput).join(",")}]`,
      "\u001E",
      ends.flatMap(outputOf).join("\n")
    ]
  )
}

export const writeNow = (ids: ReadonlyArray<string>, wanted: ReturnType<typeof numbered>) => {
  const runs = wanted
    .flatMap(({ end: last, writes }, place) => {
      const id = ids[place] ?? ""
      const all: ReadonlyArray<object> =
        last === undefined ? writes : [...writes, { ...last, delivery: `dlv_now_${id}_${last.moment}` }]
      return all.length === 0 ? [] : [{ id, all, hasEnd: last !== undefined }]
    })
    .toSorted((one, other) => Number(one.hasEnd) - Number(other.hasEnd))
  return query(
    "select * from apply_writes(string_to_array($1, $4), string_to_array($2, $4), string_to_array($3, $4), $5::int) order by n",
    [
      parted(runs.map(({ id }) => id)),
      parted(runs.map(({ all }) => `[${all.map(withoutOutput).join(",")}]`)),
      parted(runs.map(({ all }) => all.flatMap(outputOf).join("\n"))),
      "\u001E",
      runs.filter(({ hasEnd }) => !hasEnd).length
    ]
  )
}
