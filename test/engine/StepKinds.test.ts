import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { StepKind, StepRegistry } from "../../dsl/index.ts"
import { StepKinds } from "../../src/engine/program/StepKinds.ts"

class Greeting extends Context.Service<Greeting, string>()("test/Greeting") {}

const greet = StepKind.make("greet", {
  description: "Greets.",
  config: Schema.Struct({}),
  output: Schema.String,
  errors: {},
  run: () => Effect.map(Greeting, (greeting) => greeting)
})
const kinds = StepKinds.layer(StepRegistry.make([greet])).pipe(
  Layer.provide(Layer.succeed(Greeting, "Good day"))
)
const context = {
  executionId: "run_1",
  path: "greet",
  environment: "live",
  progress: () => Effect.void
} as const

/** What the step says in a context that is made with the kinds. */
const saidIn = (make: (kinds: StepKinds["Service"]) => Context.Context<never>) =>
  Effect.gen(function* () {
    const bound = yield* StepKinds
    const kind = bound.kinds.get("greet")
    if (kind === undefined) return yield* Effect.die("there is no such kind")
    const change: (now: Context.Context<never>) => Context.Context<never> = () => make(bound)
    return yield* Effect.updateContext(kind.run({}, context), change)
  }).pipe(Effect.provide(kinds))

describe("a step kind with the services it needs", () => {
  it.effect("has them in any context", () =>
    Effect.map(
      saidIn(() => Context.empty()),
      (said) => expect(said).toBe("Good day")
    )
  )

  it.effect("has them in a context that includes them", () =>
    Effect.map(
      saidIn(({ include }) => include(Context.empty())),
      (said) => expect(said).toBe("Good day")
    )
  )
})
