import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Effect, Layer, Predicate, type Redacted, Schema, type Scope } from "effect"
import { SqlClient, SqlError, Statement } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import { innermost } from "../support/Innermost.ts"
import { codeOf } from "./Outage.ts"
import { makeSessions, type ServerSessions } from "./ServerSessions.ts"
import { parseServerUrl } from "./ServerUrl.ts"

/** The server cannot be reached, refuses the connection, or cannot be used; the message says what to do. */
export class ServerUnavailable extends Schema.TaggedError<ServerUnavailable>()("ServerUnavailable", {
  message: Schema.String
}) {}

/**
 * A PostgreSQL server; several processes may share it. Up to `maxConnections` connections are open at once. Its statements
 * have the time limits of `ServerSessions`, unless `isLimited` is false.
 */
export const layer = (url: Redacted.Redacted, maxConnections = 12, isLimited = true) =>
  PgClient.layerFrom(
    Effect.gen(function* () {
      const address = yield* parseServerUrl(url)
      const sessions = yield* makeSessions({ address, isLimited, maxConnections })
      if (isLimited) yield* checkServer(sessions)
      return yield* makeClient(sessions, url)
    })
  )

const pgJson = Statement.custom<PgClient.PgCustom>("PgJson")

/** Effect's client over the sessions. PostgreSQL answers `ROLLBACK` to the `COMMIT` of a transaction that has failed. */
const makeClient = ({ connectionOf, lease, lend, listen }: ServerSessions, url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const transactionAcquirer = Effect.map(lease, connectionOf)
    const client = yield* SqlClient.make({
      acquirer: transactionAcquirer,
      borrower: lend,
      transactionAcquirer,
      prepareTransactionControls: true,
      commit: commitOn,
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      spanAttributes: [["db.system.name", "postgresql"]]
    })
    const made: PgClient.PgClient = Object.assign(client, {
      [PgClient.TypeId]: PgClient.TypeId,
      config: { url },
      json: (value: unknown) => Statement.fragment([pgJson(value)]),
      listen,
      notify: (channel: string, payload: string) =>
        Effect.asVoid(client`select pg_notify(${channel}, ${payload})`)
    })
    return made
  })

const commitOn = (connection: Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK"
      ? new SqlError.SqlError({
          reason: new SqlError.UnknownError({
            cause: new Error("COMMIT rolled back a failed transaction"),
            message: "COMMIT rolled back a failed transaction",
            operation: "commit"
          })
        })
      : Effect.void
  )

const oldestVersion = 13

const Facts = Schema.Struct({
  version: Schema.Int,
  encoding: Schema.String,
  pid: Schema.Int,
  user: Schema.String,
  schema: Schema.NullOr(Schema.String),
  path: Schema.String,
  may_create: Schema.NullOr(Schema.Boolean),
  is_new: Schema.Boolean
})

/** Refuses a server that docflow cannot work with, with what to do about it. */
const checkServer = ({ lease }: ServerSessions) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connection } = yield* lease
      const { rows } = yield* connection.query(
        `select current_setting('server_version_num')::int / 10000 as version, pg_backend_pid() as pid,
                current_setting('server_encoding') as encoding, quote_ident(current_user) as user,
                quote_ident(current_schema()) as schema, current_setting('search_path') as path,
                has_schema_privilege(current_schema(), 'create') as may_create,
                to_regclass('docflow_schema') is null as is_new`,
        [],
        false
      )
      const facts = yield* Effect.orDie(Schema.decodeUnknownEffect(Facts)(rows[0]))
      const problem = problemOf(facts)
      if (problem !== undefined) return yield* new ServerUnavailable({ message: problem })
      // A pooler gives its clients process ids of its own.
      if (facts.pid !== connection.processId) yield* refuseSharedSessions(connection, facts.pid, lease)
    })
  )

const problemOf = ({ encoding, is_new, may_create, path, schema, user, version }: typeof Facts.Type) => {
  if (version < oldestVersion)
    return `The server of DATABASE_URL is PostgreSQL ${version}. Use version ${oldestVersion} or later`
  if (encoding !== "UTF8")
    return `The database of DATABASE_URL has the encoding ${encoding}. Use a database with the encoding UTF8`
  if (schema === null)
    return (
      `The database of DATABASE_URL has no schema of the search path ${path} that ${user} may use. Run as its owner: ` +
      `create schema if not exists <schema> authorization ${user}; or, if it exists, grant usage, create on schema <schema> to ${user}`
    )
  if (is_new && may_create === false)
    return (
      `The user of DATABASE_URL may not create tables in the schema ${schema}. Run as the owner of the database: ` +
      `grant create on schema ${schema} to ${user}`
    )
  return undefined
}

const transactionPooling =
  "DATABASE_URL leads to a pooler that shares sessions between clients (transaction pooling). docflow needs a session of its " +
  "own for each connection: use session pooling (PgBouncer: pool_mode = session), or connect to PostgreSQL directly"

/** How many sessions are opened to see whether one of them is another's. */
const mostProbes = 2

/** Refuses a pooler that gives the session of an open connection to another one, or takes it away. */
const refuseSharedSessions = (
  connection: PgConnection.PgConnection,
  pid: number,
  lease: ServerSessions["lease"]
): Effect.Effect<void, ServerUnavailable | SqlError.SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const refused = new ServerUnavailable({ message: transactionPooling })
    for (let probe = 0; probe < mostProbes; probe++) {
      const other = (yield* lease).connection
      // It holds its session until the end; statement pooling refuses this.
      yield* Effect.mapError(other.query("begin", [], false), () => refused)
      if ((yield* pidOf(other)) === pid) return yield* refused
    }
    const own = yield* Effect.timeoutOrElse(pidOf(connection), {
      duration: "3 seconds",
      orElse: () => refused
    })
    if (own !== pid) return yield* refused
  })

const pidOf = (connection: PgConnection.PgConnection) =>
  Effect.map(connection.queryValues("select pg_backend_pid()", [], false), ([row]) => row?.[0])

const untrusted =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID)/u

const explain = (error: SqlError.SqlError): SqlError.SqlError | ServerUnavailable => {
  const { reason } = error
  const why = innermost(error).message
  const code = codeOf(error) ?? ""
  if (untrusted.test(code))
    return new ServerUnavailable({
      message:
        `The certificate of the server of DATABASE_URL is not trusted (${why}). Set sslrootcert to the file of its ` +
        `certificate authority, or sslmode=require to encrypt without checking the certificate`
    })
  if (reason.operation === "connect" || reason._tag === "ConnectionError")
    return new ServerUnavailable({
      message:
        `Cannot connect to the database of DATABASE_URL (${why}). Check that PostgreSQL is running and accepts ` +
        `connections, and that host, user, password and database name are right`
    })
  if (reason._tag === "AuthorizationError")
    return new ServerUnavailable({
      message:
        `The user of DATABASE_URL lacks rights in its database (${why}). Make it the owner of the database and of ` +
        `docflow's tables`
    })
  return error
}

/** Adds to the failure of a layer what to do about the server. */
export const explained = (error: SqlError.SqlError) => Layer.effectContext(Effect.fail(explain(error)))
