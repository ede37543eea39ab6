import { Effect, Result, Schema } from "effect"
import { check, type CheckedFlow, StepKind, StepRegistry } from "../../dsl/index.ts"
import { fail } from "../../src/steps/Fail.ts"
import { transform } from "../../src/steps/Transform.ts"
import { head, sha256 } from "../dsl/Support.ts"

/** What `work` steps did, and the most that did so at once. */
export class Work {
  readonly done: Array<string> = []
  readonly interrupted: Array<string> = []
  most = 0
  #now = 0

  begin(): void {
    this.#now++
    this.most = Math.max(this.most, this.#now)
  }

  end(): void {
    this.#now--
  }
}

class Broken extends Schema.TaggedError<Broken>()("Broken", { message: Schema.String }) {}

/** `work` takes some milliseconds, and gives its value or fails. */
export const workStep = (work: Work) =>
  StepKind.make("work", {
    description: "Works for a while.",
    config: Schema.Struct({
      value: Schema.Unknown,
      ms: Schema.optionalKey(Schema.Finite),
      fails: Schema.optionalKey(Schema.Boolean)
    }),
    output: Schema.Unknown,
    outputType: (_config, type) => Object(type["properties"])["value"] ?? {},
    errors: { Broken: "PROVIDER_ERROR" },
    run: ({ fails, ms, value }, { path, progress }) =>
      Effect.gen(function* () {
        work.begin()
        yield* progress(0.5)
        if (ms !== undefined) yield* Effect.sleep(ms)
        if (fails === true) return yield* new Broken({ message: `${path} broke` })
        work.done.push(path)
        return value
      }).pipe(
        Effect.onInterrupt(() => Effect.sync(() => void work.interrupted.push(path))),
        Effect.ensuring(Effect.sync(() => work.end()))
      )
  })

/** A flow of these steps and this output, by the name `it`, ready to be run. */
export const flowOf = (
  steps: string,
  output: string,
  options: { readonly work?: Work; readonly top?: string } = {}
): CheckedFlow<never> =>
  Result.getOrThrowWith(
    check(`${head}${options.top ?? ""}steps:\n${steps}\noutput:\n  value:\n    it: ${output}\n`, {
      file: "flow.yaml",
      registry: StepRegistry.make([transform, fail, workStep(options.work ?? new Work())]),
      sha256
    }),
    (problems) => new Error(problems.map(({ line, message }) => `${line}: ${message}`).join("\n"))
  )
