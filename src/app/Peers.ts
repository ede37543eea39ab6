import { Context, Effect, FileSystem, Layer, Option, Path, Redacted, Schedule, Schema } from "effect"
import { RunnerAddress, Runners } from "effect/cluster"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { hash, hkdfSync } from "node:crypto"
import { hostname } from "node:os"
import { Settings } from "../config/Config.ts"
import { Flows } from "../services/flows/Flows.ts"
import { CurrentStorageHealth } from "../services/storage/StorageHealth.ts"
import { AdminToken } from "../services/users/AdminToken.ts"
import { durableWriter } from "../support/WriteDurably.ts"
import { version } from "../support/Version.ts"

/** The folder of documents is not the one in which other processes over the database store theirs. */
export class DocumentsNotShared extends Schema.TaggedError<DocumentsNotShared>()("DocumentsNotShared", {
  message: Schema.String
}) {}

const beat = "15 seconds"

/** What processes over one database must have in common, and how to mend a difference. */
const remedies = {
  "version of docflow": "During a rolling update this is expected; otherwise update all of them",
  "admin token": "Set DOCFLOW_ADMIN_TOKEN to the same value in all",
  "key prefix": "Set DOCFLOW_KEY_PREFIX to the same value in all",
  "store of documents": "Set DOCFLOW_BLOBS and what belongs to it to the same store in all",
  flows: "Give all the same DOCFLOW_FLOWS_DIR, or copies with the same files"
}
type Fact = keyof typeof remedies

const Row = Schema.Struct({
  id: Schema.String,
  address: Schema.String,
  runner: Schema.NullOr(Schema.String),
  facts: Schema.Record(Schema.String, Schema.String),
  seen_at: Schema.String,
  seconds: Schema.Number
})
type Peer = typeof Row.Type
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

/** The processes that renewed their row within the last minute. SqlError if the database cannot be asked. */
export const livePeers: Effect.Effect<
  ReadonlyArray<Peer>,
  SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(
    sql`select id, address, runner, facts, seen_at::text, extract(epoch from clock_timestamp() - seen_at)::float8 as seconds
        from processes where seen_at > clock_timestamp() - interval '1 minute' order by address, id`,
    (rows) => Effect.orDie(decode(rows))
  )
)

/** In what a process differs from another one, each with what to do. */
export const differences = (one: Peer["facts"], other: Peer["facts"]): ReadonlyArray<string> =>
  Object.entries(remedies).flatMap(([fact, remedy]) =>
    one[fact] === undefined || other[fact] === undefined || one[fact] === other[fact]
      ? []
      : [`has another ${fact}. ${remedy}`]
  )

/** Two bytes show that two tokens differ, and tell nobody what they are. */
const markOf = (token: Redacted.Redacted) =>
  Buffer.from(hkdfSync("sha256", Redacted.value(token), "", "docflow peers", 2)).toString("hex")

/** The name of a folder of documents, written into it by its first process: two processes that read the same name share the folder. */
const nameOfFolder = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const file = (yield* Path.Path).join(folder, "store-name")
  const write = yield* durableWriter
  const name = yield* (yield* SecureRandom.SecureRandom).uuidV4()
  yield* Effect.catchIf(
    write(file, name, { isNew: true, mode: 0o600 }),
    ({ reason }) => reason._tag === "AlreadyExists",
    () => Effect.void
  )
  return yield* fs.readFileString(file)
})

const storeOfDocuments = Effect.gen(function* () {
  const { blobs, dataDir, s3Bucket, s3Endpoint, s3Prefix } = yield* Settings
  const kind = Option.getOrElse(blobs, () => "database")
  if (kind === "database") return kind
  if (kind === "s3")
    return [
      "s3",
      Option.getOrElse(s3Endpoint, () => ""),
      Option.getOrElse(s3Bucket, () => ""),
      s3Prefix
    ].join(" ")
  return `folder ${yield* nameOfFolder((yield* Path.Path).join(dataDir, "blobs"))}`
})

/** This process among those that share its database; undefined if the database is its own. */
export class OwnProcess extends Context.Service<
  OwnProcess,
  { readonly id: string; readonly facts: Readonly<Partial<Record<Fact, string>>> } | undefined
>()("docflow/app/OwnProcess") {
  /**
   * Registers this process before it takes any work. DocumentsNotShared if its documents are in a folder, and another process of the
   * last day has them in another one: neither could read what the other accepts.
   */
  static readonly layer = Layer.effect(
    OwnProcess,
    Effect.gen(function* () {
      if (Option.isNone((yield* Settings).databaseUrl)) return undefined
      const sql = yield* SqlClient.SqlClient
      const { clusterHost, clusterPort, dataDir, keyPrefix, port } = yield* Settings
      const store = yield* storeOfDocuments
      const id = yield* (yield* SecureRandom.SecureRandom).uuidV4()
      const facts = {
        "version of docflow": version,
        "admin token": markOf(yield* AdminToken),
        "key prefix": keyPrefix,
        "store of documents": store
      }
      const runner = Option.getOrNull(Option.zipWith(clusterHost, clusterPort, (host, at) => `${host}:${at}`))
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`lock table processes in exclusive mode`
          yield* sql`delete from processes where seen_at < clock_timestamp() - interval '1 day'`
          const others = yield* sql<{ address: string }>`
            select address from processes where facts->>'store of documents' like 'folder %'
              and facts->>'store of documents' <> ${store} limit 1`
          const [other] = store.startsWith("folder ") ? others : []
          if (other !== undefined) {
            return yield* new DocumentsNotShared({
              message:
                `DOCFLOW_BLOBS=folder: the process ${other.address} stores the documents of this database in another folder than ` +
                `${dataDir}/blobs. Give all processes one DOCFLOW_DATA_DIR on a shared disk, or set DOCFLOW_BLOBS to database or s3. ` +
                `If that folder is gone for good, run on the database: delete from processes`
            })
          }
          yield* sql`insert into processes (id, address, runner, facts)
            values (${id}, ${`${hostname()}:${port} (pid ${process.pid})`}, ${runner}, ${JSON.stringify(facts)}::json)`
        })
      )
      yield* Effect.addFinalizer(() => Effect.ignore(sql`delete from processes where id = ${id}`))
      return { id, facts }
    })
  )
}

/** The served versions; the content of a published version is the same everywhere. */
const flowsOf = Effect.map(
  Effect.flatMap(Flows, ({ files }) => files),
  (files) =>
    hash("sha256", files.map(({ id, served, version }) => (served ? `${id} ${version}` : "")).join("\n"))
)

/**
 * Renews this process's row, and looks at the others': what they should have in common and have not is logged once, and so is
 * a runner that renews its row and cannot be reached. A process that reaches no runner is not ready, since its executions would wait.
 */
const watch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const runners = yield* Runners.Runners
  const health = yield* CurrentStorageHealth
  const own = yield* OwnProcess
  if (own === undefined) return undefined
  const { facts: fixed, id } = own
  const { clusterHost, role } = yield* Settings
  const isClustered = role === "api" || Option.isSome(clusterHost)
  const logged = new Set<string>()
  let missed: ReadonlyMap<string, string> = new Map()

  const warn = (message: string) => {
    if (logged.has(message)) return Effect.void
    logged.add(message)
    return Effect.logWarning(message)
  }
  const isReached = ({ runner }: Peer) => {
    const at = runner?.lastIndexOf(":") ?? -1
    if (runner === null || at < 0) return Effect.succeed(true)
    const address = RunnerAddress.make(runner.slice(0, at), Number(runner.slice(at + 1)))
    return runners.ping(address).pipe(Effect.timeout("5 seconds"), Effect.isSuccess)
  }

  return Effect.gen(function* () {
    const facts: Peer["facts"] = { ...fixed, flows: yield* flowsOf }
    const renewed =
      yield* sql`update processes set facts = ${JSON.stringify(facts)}::json, seen_at = clock_timestamp()
      where id = ${id} returning id`
    if (renewed.length === 0)
      yield* Effect.logWarning("The row of this process in the table processes is gone")
    const others = (yield* livePeers).filter((peer) => peer.id !== id)
    for (const peer of others)
      for (const difference of differences(facts, peer.facts))
        yield* warn(`The process ${peer.address} ${difference}`)
    if (!isClustered) return
    const withRunner = others.filter(({ runner }) => runner !== null)
    const reached = yield* Effect.forEach(withRunner, isReached, { concurrency: "unbounded" })
    const silent = withRunner.filter((_, index) => reached[index] !== true)
    // A process that has just ended is silent, too, but does not renew its row.
    const unreachable = silent.filter(({ id, seen_at }) => (missed.get(id) ?? seen_at) !== seen_at)
    missed = new Map(silent.map((peer) => [peer.id, missed.get(peer.id) ?? peer.seen_at]))
    for (const { address, runner } of unreachable)
      yield* warn(
        `The process ${address} cannot be reached at ${runner}, so that executions handed to it wait. Open that port between the ` +
          `machines, and check DOCFLOW_CLUSTER_HOST and DOCFLOW_ADMIN_TOKEN`
      )
    const named = unreachable.map(({ runner }) => runner).join(", ")
    health.separated =
      unreachable.length > 0 && unreachable.length === withRunner.length
        ? `no other process can be reached: ${named}`
        : undefined
  })
})

/** Compares this process with the others over its database, for as long as it runs. */
export const layer = Layer.effectDiscard(
  Effect.flatMap(watch, (look = Effect.never) =>
    look.pipe(
      Effect.catchCause((cause) => Effect.logDebug("The other processes could not be looked at", cause)),
      Effect.repeat(Schedule.spaced(beat)),
      Effect.forkScoped
    )
  )
)
