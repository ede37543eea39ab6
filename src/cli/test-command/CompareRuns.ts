import { Schema } from "effect"

const Run = Schema.fromJsonString(
  Schema.Struct({
    sets: Schema.Array(
      Schema.Struct({
        file: Schema.String,
        cases: Schema.Array(
          Schema.Struct({
            name: Schema.String,
            problem: Schema.optionalKey(Schema.String),
            checked: Schema.Array(Schema.Struct({ path: Schema.String, verdict: Schema.String }))
          })
        )
      })
    )
  })
)

/** Reads the JSON that an earlier run printed. */
export const readRun = Schema.decodeUnknownResult(Run)

const verdictsOf = ({ sets }: typeof Run.Type): ReadonlyMap<string, string> =>
  new Map(
    sets.flatMap(({ cases, file }) =>
      cases.flatMap(({ checked, name, problem }) => [
        [`${file}: ${name}`, problem === undefined ? "right" : "wrong"] as const,
        ...checked.map(({ path, verdict }) => [`${file}: ${name}: ${path}`, verdict] as const)
      ])
    )
  )

/** What became right and what no longer is, of the expectations that both runs have. */
export const compareRuns = (before: typeof Run.Type, now: typeof Run.Type) => {
  const earlier = verdictsOf(before)
  const both = [...verdictsOf(now)].flatMap(([name, verdict]) => {
    const was = earlier.get(name)
    return was === undefined ? [] : [{ name, was: was === "right", is: verdict === "right" }]
  })
  return {
    compared: both.length,
    improved: both.filter(({ is, was }) => is && !was).map(({ name }) => name),
    regressed: both.filter(({ is, was }) => was && !is).map(({ name }) => name)
  }
}
