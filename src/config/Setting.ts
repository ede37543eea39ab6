import { Config, type Option, Schema } from "effect"

/** A setting: how it is read, its default, and what it is for. */
export interface Setting<A> {
  readonly config: Config.Config<A>
  readonly fallback: string
  readonly about: string
}

/** A setting with a default. */
export const setting =
  <A>(codec: Schema.ConstraintCodec<A, unknown>, about: string) =>
  (name: string, fallback: A, shown = String(fallback) || "none"): Setting<A> => ({
    config: Config.schema(codec, name).pipe(Config.withDefault(fallback)),
    fallback: shown,
    about
  })

/** A setting that may be missing; `fallback` says what is done then. */
export const optional =
  <A>(codec: Schema.ConstraintCodec<A, unknown>, about: string, fallback = "unset") =>
  (name: string): Setting<Option.Option<A>> => ({
    config: Config.option(Config.schema(codec, name)),
    fallback,
    about
  })

/** A whole number of at least 1. */
export const count = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: 10_000 })
)
