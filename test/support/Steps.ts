import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import * as StepRegistry from "../../dsl/model/StepRegistry.ts"
import { allSteps } from "../../src/steps/All.ts"

/** Where executions wait until a test lets them go on; each gate has a name, and starts closed. */
export class Gates {
  readonly #waiting = new Map<string, Set<() => void>>()
  readonly #open = new Set<string>()
  #allOpen = false
  /** Gates at which work was interrupted, in order. */
  readonly interrupted: Array<string> = []

  /** Lets everything through that waits at the gate now or comes later. */
  open(name: string): void {
    this.#open.add(name)
    for (const go of this.#waiting.get(name) ?? []) go()
  }

  /** Opens every gate for good. */
  openAll(): void {
    this.#allOpen = true
    for (const name of this.#waiting.keys()) this.open(name)
  }

  /** Closes every gate and forgets what was interrupted, for the next tests that use these gates. */
  closeAll(): void {
    this.#allOpen = false
    this.#open.clear()
    this.#waiting.clear()
    this.interrupted.length = 0
  }

  /** How many executions wait at the gate. */
  waitingAt(name: string): number {
    return this.#waiting.get(name)?.size ?? 0
  }

  /** Waits at the gate. */
  pass(name: string): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      if (this.#allOpen || this.#open.has(name)) return resume(Effect.void)
      const here = this.#waiting.get(name) ?? new Set()
      this.#waiting.set(name, here)
      const go = () => {
        here.delete(go)
        resume(Effect.void)
      }
      here.add(go)
      return Effect.sync(() => {
        here.delete(go)
        this.interrupted.push(name)
      })
    })
  }
}

/** What `boom` fails with where nothing better is known. */
class Boom extends Schema.TaggedError<Boom>()("Boom", { message: Schema.String }) {}
/** What `boom` fails with for a provider. */
class BoomProvider extends Schema.TaggedError<BoomProvider>()("BoomProvider", { message: Schema.String }) {}
/** What `boom` fails with for a document. */
class BoomDocument extends Schema.TaggedError<BoomDocument>()("BoomDocument", { message: Schema.String }) {}

/** `boom` fails in the way that it is asked for. */
const boom = StepKind.make("boom", {
  description: "Fails.",
  config: Schema.Struct({ how: Schema.Literals(["plainly", "provider", "document", "defect"]) }),
  output: Schema.Null,
  errors: { BoomProvider: "PROVIDER_ERROR", BoomDocument: "INVALID_DOCUMENT" },
  run: ({ how }): Effect.Effect<never, Boom | BoomProvider | BoomDocument> => {
    switch (how) {
      case "plainly":
        return Effect.fail(new Boom({ message: "it went boom" }))
      case "provider":
        return Effect.fail(new BoomProvider({ message: "the provider went boom" }))
      case "document":
        return Effect.fail(new BoomDocument({ message: "the document went boom" }))
      case "defect":
        return Effect.die(new Error("a bug that names SECRET-OF-THE-DOCUMENT"))
    }
  }
})

/** `hold` reports progress and waits at a gate. */
const holdAt = (gates: Gates) =>
  StepKind.make("hold", {
    description: "Waits at a gate.",
    config: Schema.Struct({ gate: Schema.String, done: Schema.optionalKey(Schema.Finite) }),
    output: Schema.Struct({ gate: Schema.String }),
    errors: {},
    run: ({ done, gate }, { progress }) =>
      Effect.andThen(progress(done ?? 0.5), gates.pass(gate)).pipe(Effect.as({ gate }))
  })

/** The step kinds of the service, and those of the tests. */
export const testSteps = (gates: Gates): typeof allSteps => ({
  kinds: new Map([...allSteps.kinds, ...StepRegistry.make([boom, holdAt(gates)]).kinds])
})
