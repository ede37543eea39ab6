import { Effect, References, Tracer } from "effect"

/**
 * Names an effect in the traces, if spans are exported. `Effect.fn(name)` makes an error for each call, to note from where it
 * was called, and changes the context even where nothing is traced: both take longer than most functions of a request.
 */
export const inSpan =
  (name: string, attributes: Readonly<Record<string, string>> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      fiber.getRef(References.TracerEnabled) && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer
        ? Effect.withSpan(effect, name, { attributes, captureStackTrace: false })
        : effect
    )
