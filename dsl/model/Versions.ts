import { Order, Result, SemVer, SemVerRange } from "effect"

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
