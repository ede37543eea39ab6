import { Config, type Option, Schema } from "effect"

/** A setting: a `Config` with its variable, its default as users see it, and its purpose. */
export type Setting<A> = Config.Config<A> & Description

/** What `docflow serve --help` says about a setting. */
export interface Description {
  /** The environment variable. */
  readonly variable: string
  readonly fallback: string
  readonly about: string
}

/** A setting with a default. */
export const setting = <A>(
  variable: string,
  codec: Schema.ConstraintCodec<A, unknown>,
  about: string,
  fallback: A,
  shown = String(fallback) || "none"
): Setting<A> =>
  Object.assign(Config.schema(codec, variable).pipe(Config.withDefault(fallback)), {
    variable,
    fallback: shown,
    about
  })

/** A setting that may be unset; `fallback` says what happens then. */
export const optional = <A>(
  variable: string,
  codec: Schema.ConstraintCodec<A, unknown>,
  about: string,
  fallback = "unset"
): Setting<Option.Option<A>> =>
  Object.assign(Config.option(Config.schema(codec, variable)), { variable, fallback, about })

/** The same setting, with its value mapped. */
export const mapped = <A, B>(self: Setting<A>, change: (value: A) => B): Setting<B> =>
  Object.assign(Config.map(self, change), {
    variable: self.variable,
    fallback: self.fallback,
    about: self.about
  })

/** An integer of at least 1. */
export const count = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: 10_000 })
)

/** Two settings that do not go together. */
export class SettingsConflict extends Schema.TaggedError<SettingsConflict>()("SettingsConflict", {
  message: Schema.String
}) {}
