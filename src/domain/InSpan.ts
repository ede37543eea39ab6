import { Effect, References, Tracer } from "effect"

/**
 * Names an effect in the traces, if spans are exported. `Effect.fn(name)` would also note from where it was called, in an
 * error made for each call, and change the context without a tracer too: more than most of what a request does costs.
 */
export const inSpan =
  (name: string, attributes: Readonly<Record<string, string>> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      fiber.getRef(References.TracerEnabled) && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer
        ? Effect.withSpan(effect, name, { attributes, captureStackTrace: false })
        : effect
    )
