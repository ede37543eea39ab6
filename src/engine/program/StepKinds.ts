import { Context, Effect, Layer } from "effect"
import type * as StepKind from "../../../dsl/model/StepKind.ts"
import type { StepRegistry } from "../../../dsl/model/StepRegistry.ts"

/** The services of step kinds that the context at hand includes already. */
const Included = Context.Reference<Context.Context<never> | undefined>("docflow/engine/StepKinds/Included", {
  defaultValue: () => undefined
})

/** Step kinds that have the services they need. */
export interface BoundKinds extends StepRegistry<never> {
  /** A context with what the kinds need, so that a step adds nothing: merging two contexts copies all of both. */
  readonly include: (context: Context.Context<never>) => Context.Context<never>
}

/** The step kinds that flows may use here, each with the services it needs: flows compiled with them need nothing more. */
export class StepKinds extends Context.Service<StepKinds, BoundKinds>()("docflow/engine/StepKinds") {
  static readonly layer = <R>(registry: StepRegistry<R>): Layer.Layer<StepKinds, never, R> =>
    Layer.effect(
      StepKinds,
      Effect.map(Effect.context<R>(), (services) => ({
        kinds: new Map([...registry.kinds].map(([name, kind]) => [name, bind(kind, services)])),
        include: (context) => Context.add(Context.merge(context, services), Included, services)
      }))
    )
}

const bind = <R>(kind: StepKind.Any<R>, services: Context.Context<R>): StepKind.Any<never> => {
  const includes = (context: Context.Context<never>): context is Context.Context<R> =>
    Context.get(context, Included) === services
  return {
    ...kind,
    run: (config, context) =>
      Effect.updateContext(kind.run(config, context), (now: Context.Context<never>) =>
        includes(now) ? now : Context.merge(now, services)
      )
  }
}
