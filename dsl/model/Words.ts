import { Duration, Option, Result, Schema, SemVer, Order, SemVerRange } from "effect"

/** The id of a flow, as used in URLs and file names. */
export const FlowId = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/u, {
    message: 'A flow id consists of lower-case words joined with "-", like "invoice" or "mail-room".'
  }),
  Schema.isMaxLength(64, { message: "A flow id has at most 64 characters." })
)

/** The id of a step, as used in expressions: `steps.<id>`. */
export const StepId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9_]*$/u, {
    message: "A step id starts with a letter and contains only letters, digits and _."
  }),
  Schema.isMaxLength(64, { message: "A step id has at most 64 characters." })
)

const reservedNames = new Set(
  `input variables steps index error true false null in as break const continue else for function
  if import let loop package namespace return var void while`.split(/\s+/u)
)

/** The name of a loop's current element. */
export const ElementName = Schema.String.check(
  Schema.makeFilter((name: string) => !reservedNames.has(name), {
    message: "This name is reserved in expressions."
  }),
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9_]*$/u, {
    message: "A name starts with a letter and contains only letters, digits and _."
  })
)

const versionMessage = 'A version is three numbers, like "1.0.0" (a semantic version).'

/** A semantic version, as in `1.0.0` or `2.1.0-rc.1`. The pattern is for editors, which apply no other check. */
export const Version = Schema.String.check(
  Schema.makeFilter((text: string) => Result.isSuccess(SemVer.parse(text)), { message: versionMessage }),
  Schema.isPattern(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/u, { message: versionMessage })
)

const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/u
const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const
const isUnit = (unit: string): unit is keyof typeof milliseconds => Object.hasOwn(milliseconds, unit)

/** Reads a duration such as `500ms`, `2s`, `1.5m` or `1h`. */
export const parseDuration = (text: string): Option.Option<Duration.Duration> => {
  const [, amount, unit] = durationPattern.exec(text) ?? []
  return amount === undefined || unit === undefined || !isUnit(unit)
    ? Option.none()
    : Option.some(Duration.millis(Math.round(Number(amount) * milliseconds[unit])))
}

/** A duration as written in flows. It remains a string in the definition, so that writing YAML loses nothing. */
export const DurationText = Schema.String.check(
  Schema.isPattern(durationPattern, {
    message: 'A duration is a number followed by ms, s, m or h, like "500ms" or "2m".'
  })
)

const bySemver = Order.mapInput(SemVer.Order, (version: string) =>
  Result.getOrElse(SemVer.parse(version), () => SemVer.make({ major: 0, minor: 0, patch: 0 }))
)

/** Versions, the highest first. */
export const highestFirst = (versions: Iterable<string>): ReadonlyArray<string> =>
  [...versions].sort((left, right) => bySemver(right, left))

/** The latest version: the highest that is not a pre-release, or the highest of all if all are. */
export const latestVersion = (versions: Iterable<string>): string | undefined => {
  const sorted = highestFirst(versions)
  return sorted.find((version) => !version.includes("-")) ?? sorted[0]
}

/** Whether a string is a version or a range of versions, such as `1.2.0`, `^1.2.0` or `1.x`. */
export const isRange = (text: string): boolean =>
  text.trim() !== "" && Result.isSuccess(SemVerRange.parse(text))

/** The highest version in a range; without a range, the latest. */
export const newestFitting = (range: string | undefined, versions: Iterable<string>): string | undefined => {
  if (range === undefined) return latestVersion(versions)
  const parsed = Result.getOrUndefined(SemVerRange.parse(range))
  return highestFirst(versions).find((version) => {
    const semver = Result.getOrUndefined(SemVer.parse(version))
    return parsed !== undefined && semver !== undefined && SemVerRange.matches(parsed, semver)
  })
}
