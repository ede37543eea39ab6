import { type PgClient, PgConnection } from "@effect/sql-pg"
import { Cause, Clock, Effect, Exit, Pool, Result, Schedule, Scope } from "effect"
import { SqlError } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import { connect, type Socket } from "node:net"
import type { ConnectionOptions } from "node:tls"
import { codeOf } from "./Outage.ts"
import { credentialsOf, type ServerAddress, type ServerHost } from "./ServerUrl.ts"

/**
 * The time limits of a statement. Together they are less than 15 seconds: a request that needs the database is answered
 * by then, whatever happens to it.
 */
export const limits = {
  /** For a free connection, or a new one, in milliseconds. */
  placeMs: 5_000,
  /** For a statement, enforced by the server; its connection remains usable. */
  statementMs: 7_000,
  /** A server that sends nothing for so long is taken for gone, in milliseconds. */
  silenceMs: 8_000
}

/** A connection that is older is replaced, in milliseconds: after a switchover, some may still lead to the old server. */
const lifetimeMs = 30 * 60_000
/** An unused connection is closed after this time. */
const idleTime = "60 seconds"

/** Settings of each session, so that the server does not keep what a vanished process has locked. */
const sessionSettings: ReadonlyArray<readonly [name: string, value: string]> = [
  ["statement_timeout", `${limits.statementMs}ms`],
  ["idle_in_transaction_session_timeout", "30s"],
  ["tcp_keepalives_idle", "30"],
  ["tcp_keepalives_interval", "5"],
  ["tcp_keepalives_count", "3"],
  ["tcp_user_timeout", "20s"]
]

/** Text, because behind a pooler the statement must not be prepared; values are safe inside quotes. */
const settingsStatement = `select count(set_config(s.name, wanted.value, false)) from (values ${sessionSettings
  .map(([name, value]) => `('${name}', '${value}')`)
  .join(", ")}) as wanted (name, value) join pg_settings s on s.name = wanted.name`

/** A failure of the connection, with a code for operators. */
export const connectionFailure = (code: string, message: string) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: Object.assign(new Error(message), { code }),
      message,
      operation: "connect"
    })
  })

/** One session of a server that accepts writes. */
export interface Session {
  readonly connection: PgConnection.PgConnection
  readonly socket: Socket
  readonly openedAt: number
  /** When the statement was sent that is running, in milliseconds. */
  sentAt: number | undefined
}

interface Options {
  readonly address: ServerAddress
  readonly maxConnections: number
  /** Whether statements have limits. Changes of the schema have none. */
  readonly isLimited: boolean
}

/** The sessions of a server, and how statements use them. */
export interface ServerSessions {
  readonly lend: <A, E, R>(
    use: (connection: Connection, session: Session) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError.SqlError, R>
  readonly lease: Effect.Effect<Session, SqlError.SqlError, Scope.Scope>
  readonly connectionOf: (session: Session) => Connection
  readonly listen: PgClient.PgClient["listen"]
}

/** Opens sessions on the first host of the address that accepts writes, as they are needed. */
export const makeSessions = Effect.fnUntraced(function* ({ address, isLimited, maxConnections }: Options) {
  const clock = yield* Clock.Clock
  const runFork = Effect.runForkWith(yield* Effect.context())
  const now = () => clock.currentTimeMillisUnsafe()
  const sessions = new Set<Session>()
  /** The ways to the server, and the one that worked last, which is tried first. */
  const ways = address.hosts.flatMap((host) => address.encryption.map((ssl): Way => ({ host, ssl })))
  let lastWay = ways[0]

  const discard = (session: Session): Effect.Effect<void> => Pool.invalidate(pool, session)
  /** Discards all: what happened to one of them has happened to their server. */
  const discardAll = Effect.suspend(() => Effect.forEach([...sessions], discard, { discard: true }))

  const openBy = Effect.fnUntraced(function* (way: Way) {
    let socket: Socket | undefined
    const connection = yield* Effect.mapError(
      PgConnection.make({
        ...credentialsOf(address),
        ...way.host,
        ssl: way.ssl,
        maxMessageSize: 128 * 1024 * 1024,
        stream: () => {
          const made = socketTo(way.host)
          socket ??= made
          return made
        }
      }),
      withCode
    )
    if (socket === undefined) return yield* Effect.die("A connection without a socket")
    const session: Session = { connection, socket, openedAt: now(), sentAt: undefined }
    yield* Effect.acquireRelease(
      Effect.sync(() => void sessions.add(session)),
      () => Effect.sync(() => void sessions.delete(session))
    )
    yield* checkWritable(session, now)
    if (isLimited) yield* watched(session, now, connection.query(settingsStatement, [], false))
    socket.on("close", () => runFork(discard(session)))
    return session
  })

  /** Tries the ways in turn; fails as the most telling one did. */
  const open = Effect.gen(function* () {
    const scope = yield* Effect.scope
    const inOrder = [...ways].toSorted((one, other) => Number(other === lastWay) - Number(one === lastWay))
    const failures: Array<SqlError.SqlError> = []
    const unreachable = new Set<ServerHost>()
    for (const way of inOrder) {
      if (unreachable.has(way.host)) continue
      const own = yield* Scope.fork(scope)
      const tried = yield* Effect.result(Scope.provide(openBy(way), own))
      if (Result.isSuccess(tried)) {
        lastWay = way
        return tried.success
      }
      yield* Scope.close(own, Exit.void)
      failures.push(tried.failure)
      if (/^E(?!RR_)/u.test(codeOf(tried.failure) ?? "")) unreachable.add(way.host)
    }
    return yield* mostTelling(failures)
  })

  const pool: Pool.Pool<Session, SqlError.SqlError> = yield* Pool.makeWithTTL({
    acquire: open,
    min: 0,
    max: maxConnections,
    timeToLive: idleTime,
    timeToLiveStrategy: "usage"
  })

  const watch = Effect.suspend(() => {
    const at = now()
    const silent = [...sessions].filter(({ sentAt = at }) => at - sentAt > limits.silenceMs)
    // Its statement fails with this error.
    for (const { socket } of silent) socket.destroy(silence())
    if (silent.length > 0) return discardAll
    const old = [...sessions].filter(({ openedAt }) => at - openedAt > lifetimeMs)
    return Effect.forEach(old, discard, { discard: true })
  })
  if (isLimited) yield* Effect.forkScoped(Effect.repeat(watch, Schedule.spaced("1 second")))

  const afterFailure = (session: Session, cause: Cause.Cause<SqlError.SqlError>) => {
    // After an interruption the server may still be cancelling what runs next in the session.
    if (Cause.hasInterrupts(cause)) return discard(session)
    const failure = Cause.findError(cause)
    if (Result.isFailure(failure)) return Effect.void
    if (codeOf(failure.success) === readOnlyCode) return discardAll
    return failure.success.reason._tag === "ConnectionError" ? discard(session) : Effect.void
  }

  const connections = new WeakMap<Session, Connection>()
  const connectionOf = (session: Session): Connection => {
    const known = connections.get(session)
    if (known !== undefined) return known
    const made = makeConnection(session, (statement) =>
      Effect.tapCause(watched(session, now, statement), (cause) => afterFailure(session, cause))
    )
    connections.set(session, made)
    return made
  }

  const waiting = Effect.timeoutOrElse(Pool.get(pool), {
    duration: limits.placeMs,
    orElse: () => connectionFailure("ETIMEDOUT", "No connection to the database became free in time")
  })
  const lease = isLimited ? waiting : Pool.get(pool)
  const lent: ServerSessions = {
    lease,
    connectionOf,
    listen: (channel) =>
      Effect.flatMap(lease, (session) =>
        Effect.tap(watched(session, now, session.connection.listen(channel)), () =>
          // The server need not answer that nobody listens anymore.
          Effect.addFinalizer(() => Effect.sync(() => void session.socket.destroy()))
        )
      ),
    lend: (use) =>
      Effect.flatMap(Pool.stats(pool), ({ idle, pending }) =>
        idle > 0 && pending === 0
          ? Pool.use(pool, (session) => use(connectionOf(session), session))
          : Effect.scoped(Effect.flatMap(lease, (session) => use(connectionOf(session), session)))
      )
  }
  return lent
})

/** A host, and how to encrypt the connection to it. */
interface Way {
  readonly host: ServerHost
  readonly ssl: ConnectionOptions | false
}

const readOnlyCode = "25006"

const silence = () => Object.assign(new Error("The database server does not answer"), { code: "ETIMEDOUT" })

/** A time-out of the library has no code. */
const withCode = (failure: SqlError.SqlError) =>
  failure.message.includes("timed out") ? connectionFailure("ETIMEDOUT", "connect ETIMEDOUT") : failure

const socketTo = ({ host, port }: ServerHost): Socket =>
  host.startsWith("/")
    ? connect({ path: `${host}/.s.PGSQL.${port}` })
    : connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 })

/** The failure that says most: that a server was reached says more than that it was not, and a certificate than plain text. */
const mostTelling = (failures: ReadonlyArray<SqlError.SqlError>): SqlError.SqlError => {
  const codes = failures.map((failure) => codeOf(failure) ?? "")
  const telling = codes.findIndex((code) => /^[0-9][0-9A-Z]{4}$/u.test(code))
  const certain = codes.findIndex((code) => code !== "")
  return (
    failures[telling === -1 ? certain : telling] ??
    failures[0] ??
    connectionFailure("ENOTFOUND", "DATABASE_URL has no host")
  )
}

/** Remembers when a statement was sent, until it has ended. */
const watched = <A, E, R>(
  session: Session,
  now: () => number,
  statement: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    session.sentAt = now()
    return Effect.onExitPrimitive(statement, () => {
      session.sentAt = undefined
      return undefined
    })
  })

const checkWritable = (session: Session, now: () => number) =>
  Effect.flatMap(
    watched(
      session,
      now,
      session.connection.queryValues(
        "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on'",
        [],
        false
      )
    ),
    ([row]) =>
      row?.[0] === true
        ? connectionFailure(readOnlyCode, "the server is read-only: a standby, or out of disk")
        : Effect.void
  )

type Run = <A>(statement: Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>

/** The statements of a session, for Effect's SQL client. */
const makeConnection = ({ connection, socket }: Session, run: Run): Connection => {
  const rows = (sql: string, values: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.map(run(connection.query(sql, values, prepare)), (result) => result.rows)
  const transformed =
    (prepare: boolean): Connection["execute"] =>
    (sql, values, transform) =>
      transform === undefined ? rows(sql, values, prepare) : Effect.map(rows(sql, values, prepare), transform)
  return {
    // The server has rolled back what a lost connection began.
    execute: (sql, values, transform) =>
      sql === "ROLLBACK" && socket.destroyed ? Effect.succeed([]) : transformed(true)(sql, values, transform),
    executeUnprepared: transformed(false),
    executeRaw: (sql, values) => run(connection.query(sql, values)),
    executeValues: (sql, values) => run(connection.queryValues(sql, values)),
    executeValuesUnprepared: (sql, values) => run(connection.queryValues(sql, values, false)),
    executeStream: (sql, values) => connection.stream(sql, values)
  }
}
