import { Context, type Effect } from "effect"
import type { DocumentIR } from "../../domain/DocumentIR.ts"
import { readByRules, type RulesOptions, type RulesResult } from "./Rules.ts"

/** Reads a document by rules. */
export type ReadByRules = (document: DocumentIR, options: RulesOptions) => Effect.Effect<RulesResult>

/** Where steps read documents by rules: on the event loop, unless a layer has threads for it. */
export const RulesReader = Context.Reference<ReadByRules>("docflow/steps/RulesReader", {
  defaultValue: () => readByRules
})
