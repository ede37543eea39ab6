import { Order, Result, SemVer } from "effect"
import type { FlowDetail, FlowItem } from "../domain/Flow.ts"
import type { RunnableFlow } from "../engine/FlowCatalog.ts"

/** A version of a flow that is served. */
export interface PublishedFlow {
  readonly flow: RunnableFlow
  readonly publishedAt: Date
}

/** The versions of one flow, by their number. */
export type FlowVersions = ReadonlyMap<string, PublishedFlow>

const bySemver = Order.mapInput(SemVer.Order, (version: string) =>
  Result.getOrElse(SemVer.parse(version), () => SemVer.make({ major: 0, minor: 0, patch: 0 }))
)

const sorted = (versions: Iterable<string>): ReadonlyArray<string> =>
  [...versions].sort((a, b) => bySemver(b, a))

/** The latest of some versions: the highest that is not a pre-release, or the highest of all when all are. */
export const latestVersion = (versions: Iterable<string>): string | undefined => {
  const highestFirst = sorted(versions)
  return highestFirst.find((version) => !version.includes("-")) ?? highestFirst[0]
}

/** The latest version of a flow. */
export const latestOf = (versions: FlowVersions): string => latestVersion(versions.keys()) ?? ""

/** A flow as it stands in a list, at one of its versions. */
export const itemOf = (versions: FlowVersions, published: PublishedFlow): FlowItem => {
  const times = [...versions.values()].map(({ publishedAt }) => publishedAt.getTime())
  const { description, id, name, version } = published.flow.definition
  return {
    id,
    name,
    description,
    version,
    createdAt: new Date(Math.min(...times)).toISOString(),
    updatedAt: new Date(Math.max(...times)).toISOString()
  }
}

/** A version of a flow in full. */
export const detailOf = (versions: FlowVersions, published: PublishedFlow): FlowDetail => {
  const { definition, inputSchema, outputSchema } = published.flow
  return {
    ...itemOf(versions, published),
    versions: sorted(versions.keys()),
    schema: { input: inputSchema, output: outputSchema },
    config: {
      supportedFormats: definition.document.formats,
      maxFileSizeMB: definition.document.maxFileSizeMB,
      maxPages: definition.document.maxPages,
      estimatedCreditsPerPage: definition.credits.perPage
    }
  }
}

/** The order of a list of flows: newest first, then by id. */
export const newestFirst: Order.Order<FlowItem> = (a, b) =>
  a.createdAt === b.createdAt ? Order.String(a.id, b.id) : Order.String(b.createdAt, a.createdAt)
