import { textAt } from "../test/support/Json.ts"

/** The number of executions, of the owner's oldest, that are copied. */
export const seeds = 200
/** The number of days over which they are copied. */
export const days = 365
const outputDays = 30
/** The tables that grow with every execution, and their column with its id. */
const grown = {
  executions: "id",
  execution_events: "execution_id",
  step_results: "execution_id",
  ledger: "execution_id",
  deliveries: "execution_id",
  audit_log: "subject",
  blob_uses: "execution_id"
}

type Rows = (statement: string) => Promise<ReadonlyArray<object>>

/** Sizes of the tables in bytes, without free space. */
const sizesOf = async (rows: Rows): Promise<ReadonlyMap<string, number>> => {
  const found = await rows(
    `select relname as name, pg_total_relation_size(oid)::text as bytes from pg_class where relkind = 'r'
     and relname in (${Object.keys(grown)
       .map((table) => `'${table}'`)
       .join()})`
  )
  return new Map(found.map((row) => [textAt(row, "name"), Number(textAt(row, "bytes"))]))
}

/** Copies the rows of a table for the executions in `copies` from `first` to `last`; of each, what a sweep has left. */
const copy = async (rows: Rows, table: keyof typeof grown, first: number, last: number): Promise<void> => {
  const key = grown[table]
  const columns = await rows(
    `select column_name as name, data_type as type from information_schema.columns where table_schema = current_schema
     and table_name = '${table}' and is_generated = 'NEVER' and is_identity = 'NO'`
  )
  const expression = (name: string, type: string): string => {
    if (name === key) return "c.id"
    if (name === "organization_id") return table === "deliveries" ? "null" : "c.organization"
    if (name === "blob") return "md5(c.id) || md5(c.id)"
    if (name === "is_added_up") return "c.age > interval '1 day'"
    if (name === "document") return "case when c.age < interval '1 day' then s.document end"
    if (name === "output_expired_at") return `case when c.age > interval '${outputDays} days' then c.at end`
    if (table === "executions" && name === "output")
      return `case when c.age < interval '${outputDays} days' then s.output end`
    return type === "timestamp with time zone" ? `s.${name} + c.shift` : `s.${name}`
  }
  const named = columns.map((row) => [textAt(row, "name"), textAt(row, "type")] as const)
  const kept = {
    step_results: `c.age < interval '${outputDays} days'`,
    execution_events: `c.age < interval '${outputDays} days'`,
    blob_uses: "c.age < interval '1 day'"
  }
  await rows(
    `insert into ${table} (${named.map(([name]) => name).join()})
     select ${named.map(([name, type]) => expression(name, type)).join()}
     from copies c join ${table} s on s.${key} = c.seed
     where c.n between ${first} and ${last} and ${table in kept ? kept[table as keyof typeof kept] : "true"} order by c.n`
  )
}

/**
 * Copies executions with webhooks over a year and over organizations, in the database: half of them for the owner, as if
 * sweeps had removed what expired. Prints the bytes that each leaves.
 */
export const fillYear = async (
  rows: Rows,
  size: number,
  owner: string,
  others: ReadonlyArray<string>
): Promise<void> => {
  // As if the receiver had answered.
  await rows(
    `update deliveries set status = 'delivered', next_attempt_at = null, lease = null, organization_id = null, host = null,
       attempts = json_build_array(json_build_object('at', created_at, 'status', 200, 'durationMs', 12))`
  )
  const organizations = others.map((id) => `'${id}'`).join()
  // Ids are in the order of time, as ULIDs are, and behind those that there are. Half are of the organization whose lists are measured.
  await rows(
    `create table copies as
     select n, 'exec_1' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || substr(md5(n::text), 1, 13) as id,
       seed, at, at - created_at as shift, now() - at as age,
       case n % 2 when 0 then '${owner}' else (array[${organizations}])[1 + n / 2 % ${others.length}] end as organization
     from (select n, now() - interval '${days} days' * (1 - n::float8 / ${size + 1}) as at from generate_series(1, ${size}) n) c
     join (select e.id as seed, e.created_at, row_number() over (order by e.id) - 1 as k
       from executions e join deliveries d on d.execution_id = e.id order by e.id limit ${seeds}) s on s.k = n % ${seeds}`
  )
  await rows("create index on copies (n)")
  await rows("analyze")
  const old = Math.floor((size * (days - outputDays)) / days)
  const before = await sizesOf(rows)
  const tables = Object.keys(grown) as Array<keyof typeof grown>
  for (const table of tables) await copy(rows, table, 1, old)
  const after = await sizesOf(rows)
  console.log("\nbytes that an execution leaves")
  const left = [...after].map(([table, bytes]) => [table, (bytes - (before.get(table) ?? 0)) / old] as const)
  const all = left.reduce((sum, [, bytes]) => sum + bytes, 0)
  for (const [name, bytes] of [...left, ["all", all] as const])
    console.log(`  ${name.padEnd(42)}${bytes.toFixed(0).padStart(12)}`)
  for (const table of tables) await copy(rows, table, old + 1, size)
  await rows(
    `insert into usage_of_days
     select e.organization_id, (ended_at at time zone 'UTC')::date, environment, flow_id, '', count(*), sum(page_count),
       sum(charged), 0, 0
     from copies c join executions e on e.id = c.id where is_added_up group by 1, 2, 3, 4
     on conflict do nothing`
  )
  await rows("drop table copies")
  await rows("vacuum analyze")
}
