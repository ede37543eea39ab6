import { Context, Effect, Layer } from "effect"
import type * as StepKind from "../../dsl/model/StepKind.ts"
import type { StepRegistry } from "../../dsl/model/StepRegistry.ts"

/** The step kinds that flows may use here, each with the services it needs: flows compiled with them need nothing more. */
export class StepKinds extends Context.Service<StepKinds, StepRegistry<never>>()("docflow/engine/StepKinds") {
  static readonly layer = <R>(registry: StepRegistry<R>): Layer.Layer<StepKinds, never, R> =>
    Layer.effect(
      StepKinds,
      Effect.map(Effect.context<R>(), (services) => ({
        kinds: new Map([...registry.kinds].map(([name, kind]) => [name, bind(kind, services)]))
      }))
    )
}

const bind = <R>(kind: StepKind.Any<R>, services: Context.Context<R>): StepKind.Any<never> => ({
  ...kind,
  run: (config, context) => Effect.provideContext(kind.run(config, context), services)
})
