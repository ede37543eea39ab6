import { Context, Effect, Layer, Schema } from "effect"
import { Resolver as NodeResolver } from "node:dns/promises"
import { isLocalhost } from "./TargetPolicy.ts"

/** A name has no address. */
export class NameNotResolved extends Schema.TaggedError<NameNotResolved>()("NameNotResolved", {
  name: Schema.String,
  code: Schema.String
}) {}

/** Finds the addresses of names. */
export class Resolver extends Context.Service<
  Resolver,
  {
    /** Every address of a name, IPv4 first. */
    resolve(name: string): Effect.Effect<ReadonlyArray<string>, NameNotResolved>
  }
>()("docflow/providers/Resolver") {
  /**
   * Queries the name servers directly. `dns.lookup` would let a slow name server block one of the process's few
   * threads, and with it everything else that needs them.
   */
  static readonly layer = Layer.succeed(
    Resolver,
    Resolver.of({
      resolve: Effect.fn("Resolver.resolve")((name: string) =>
        isLocalhost(name) ? Effect.succeed(["127.0.0.1", "::1"]) : Effect.scoped(ask(name))
      )
    })
  )
}

const ask = Effect.fnUntraced(function* (name: string) {
  const resolver = yield* Effect.acquireRelease(
    Effect.sync(() => new NodeResolver({ timeout: 3_000, tries: 2 })),
    (resolver) => Effect.sync(() => resolver.cancel())
  )
  const answer = (query: () => Promise<ReadonlyArray<string>>) =>
    Effect.tryPromise({ try: query, catch: (cause) => new NameNotResolved({ name, code: codeOf(cause) }) })
  const [four, six] = yield* Effect.all(
    [
      Effect.result(answer(() => resolver.resolve4(name))),
      Effect.result(answer(() => resolver.resolve6(name)))
    ],
    { concurrency: 2 }
  )
  const addresses = [four, six].flatMap((found) => (found._tag === "Success" ? found.success : []))
  if (addresses.length > 0) return addresses
  return yield* four._tag === "Failure" ? four.failure : new NameNotResolved({ name, code: "ENODATA" })
})

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "EUNKNOWN"
