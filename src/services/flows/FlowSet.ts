import { Order } from "effect"
import { highestFirst, latestVersion } from "../../../dsl/model/Versions.ts"
import type { FlowDetail, FlowItem } from "../../domain/FlowItem.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"

/** A served version of a flow. */
export interface PublishedFlow {
  readonly flow: RunnableFlow
  readonly publishedAt: Date
}

/** The versions of one flow, by their number. */
export type FlowVersions = ReadonlyMap<string, PublishedFlow>

/** The latest version of a flow. */
export const latestOf = (versions: FlowVersions): string => latestVersion(versions.keys()) ?? ""

/** A flow as shown in a list, at one of its versions. */
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
    versions: highestFirst(versions.keys()),
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
