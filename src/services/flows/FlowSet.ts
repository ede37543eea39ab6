import { Order, type Result } from "effect"
import type { FlowText } from "../../../dsl/check/FlowLibrary.ts"
import { highestFirst, latestVersion } from "../../../dsl/model/Words.ts"
import type { Problem } from "../../../dsl/source/Problem.ts"
import type { FlowDetail, FlowItem } from "../../domain/FlowItem.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"

/** A flow, ready to run, or its problems. */
export type Checked = Result.Result<RunnableFlow, ReadonlyArray<Problem>>

/** A served version of a flow. */
export interface ServedVersion {
  readonly text: FlowText
  readonly name: string
  readonly description: string
  readonly publishedAt: Date
  /** The result of its check, made when it is first needed: checking thousands of files takes longer than starting. */
  readonly check: () => Checked
}

/** The versions of one flow, by their number. */
export type FlowVersions = ReadonlyMap<string, ServedVersion>

/** The latest version of a flow. */
export const latestOf = (versions: FlowVersions): string => latestVersion(versions.keys()) ?? ""

/** A flow as shown in a list, at one of its versions. */
export const itemOf = (versions: FlowVersions, { description, name, text }: ServedVersion): FlowItem => {
  const times = [...versions.values()].map(({ publishedAt }) => publishedAt.getTime())
  return {
    id: text.id,
    name,
    description,
    version: text.version,
    createdAt: new Date(Math.min(...times)).toISOString(),
    updatedAt: new Date(Math.max(...times)).toISOString()
  }
}

/** A version of a flow in full. */
export const detailOf = (
  versions: FlowVersions,
  served: ServedVersion,
  { definition, inputSchema, outputSchema }: RunnableFlow
): FlowDetail => ({
  ...itemOf(versions, served),
  versions: highestFirst(versions.keys()),
  schema: { input: inputSchema, output: outputSchema },
  config: {
    supportedFormats: definition.document.formats,
    maxFileSizeMB: definition.document.maxFileSizeMB,
    maxPages: definition.document.maxPages,
    estimatedCreditsPerPage: definition.credits.perPage
  }
})

/** The order of a list of flows: newest first, then by id. */
export const newestFirst: Order.Order<FlowItem> = (a, b) =>
  a.createdAt === b.createdAt ? Order.String(a.id, b.id) : Order.String(b.createdAt, a.createdAt)
