import { describe, expect, it } from "@effect/vitest"
import { Effect, References, Tracer } from "effect"
import { inSpan } from "../../src/support/InSpan.ts"

/** The names of the spans that an effect makes. */
const spansOf = (effect: Effect.Effect<unknown>, enabled = true) =>
  Effect.gen(function* () {
    const names: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        names.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    yield* effect.pipe(
      Effect.provideService(References.TracerEnabled, enabled),
      Effect.provideService(Tracer.Tracer, tracer)
    )
    return names
  })

const outer = Effect.succeed(1).pipe(inSpan("inner"), inSpan("outer", { kind: "test" }))

describe("a named effect", () => {
  it.effect("is a span, where there is a tracer", () =>
    Effect.map(spansOf(outer), (names) => expect(names).toEqual(["outer", "inner"]))
  )

  it.effect("is none where nothing is traced, and does the same", () =>
    Effect.gen(function* () {
      expect(yield* spansOf(outer, false)).toEqual([])
      expect(yield* outer).toBe(1)
      expect(yield* inSpan("none")(Effect.option(Effect.currentSpan))).toMatchObject({ _tag: "None" })
    })
  )
})
