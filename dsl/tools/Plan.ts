import { Order, Result, SemVer } from "effect"
import type { CheckedFlow } from "../model/CheckedFlow.ts"
import { compareFlows } from "./CompareFlows.ts"
import type { Bump } from "./CompareTypes.ts"
import type { FlowDefinition } from "../model/FlowDefinition.ts"

/** The version that the changes of a draft need, and whether it has it. */
export interface Plan {
  readonly bump: Bump
  /** What changed, the gravest first. */
  readonly reasons: ReadonlyArray<string>
  /** Whether the draft's version is high enough. */
  readonly ok: boolean
  /** The lowest version that the draft may have; undefined if there is nothing to compare it with. */
  readonly needs?: string
}

const ranks: Readonly<Record<Bump, number>> = { none: 0, patch: 1, minor: 2, major: 3 }

/** Compares a draft with the published version that it follows. */
export const plan = (draft: CheckedFlow, published: CheckedFlow | undefined): Plan => {
  if (published === undefined) return { bump: "none", reasons: ["This is the first version"], ok: true }
  const found = compareFlows(published, draft)
  const gravest = found.reduce<Bump>((most, { bump }) => (ranks[bump] > ranks[most] ? bump : most), "none")
  const from = versionOf(published.definition)
  const to = versionOf(draft.definition)
  const made = SemVer.Order(to, from) > 0 ? bumpBetween(from, to) : "none"
  const isHigher = SemVer.Order(to, from) > 0
  return {
    bump: gravest,
    reasons: [...found]
      .sort((left, right) => ranks[right.bump] - ranks[left.bump])
      .map(({ bump, reason }) => `${bump}: ${reason}`),
    ok: isHigher && ranks[made] >= ranks[gravest],
    needs: lowest(from, gravest)
  }
}

const versionOf = ({ version }: FlowDefinition): SemVer.SemVer =>
  Result.getOrElse(SemVer.parse(version), () => SemVer.make({ major: 0, minor: 0, patch: 0 }))

/** A pre-release counts as the release that it leads to. */
const bumpBetween = (from: SemVer.SemVer, to: SemVer.SemVer): Bump => {
  if (to.major !== from.major) return "major"
  return to.minor !== from.minor ? "minor" : "patch"
}

const lowest = ({ major, minor, patch }: SemVer.SemVer, bump: Bump): string => {
  if (bump === "major") return `${major + 1}.0.0`
  return bump === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}

/** The version that a draft follows: the highest that is not above it, or else the highest of all. */
export const followed = (draft: string, versions: ReadonlyArray<string>): string | undefined => {
  const parsed = versions.flatMap((version) => {
    const result = SemVer.parse(version)
    return Result.isSuccess(result) ? [{ version, semver: result.success }] : []
  })
  const own = Result.getOrUndefined(SemVer.parse(draft))
  const byVersion = Order.mapInput(SemVer.Order, ({ semver }: (typeof parsed)[number]) => semver)
  const sorted = parsed.sort((left, right) => byVersion(right, left))
  const below = sorted.filter(({ semver }) => own === undefined || SemVer.Order(semver, own) <= 0)
  const candidates = below.length > 0 ? below : sorted
  return (candidates.find(({ version }) => !version.includes("-")) ?? candidates[0])?.version
}
