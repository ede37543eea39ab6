import type { CheckedBlock, CheckedFlow, CheckedStep } from "./CheckedFlow.ts"
import type { FlowDefinition } from "./FlowDefinition.ts"

/** What an execution may ask of models for each credit that it costs, and for at least one. */
const perCredit = { requests: 100, tokens: 500_000 }

/** What an execution may ask of models that costs this number of credits. */
export const modelBound = ({ maxTokens = Infinity }: FlowDefinition, credits: number): typeof perCredit => {
  const times = Math.max(1, credits)
  return {
    requests: Math.floor(perCredit.requests * times),
    tokens: Math.min(maxTokens, Math.floor(perCredit.tokens * times))
  }
}

/** What a flow with steps that ask models may use of them; undefined for another flow. */
export const describeModelBound = (flow: CheckedFlow): string | undefined => {
  if (!flow.steps.some(asksModel)) return undefined
  const { maxTokens } = flow.definition
  const own = maxTokens === undefined ? "" : `, and at most ${maxTokens} tokens`
  return `models: at most ${perCredit.requests} requests and ${perCredit.tokens} tokens per credit${own}`
}

const asksModel = (step: CheckedStep): boolean =>
  (step.action === "uses" && step.kind.asksModel === true && !step.onlyComputes) ||
  (step.action === "flow" && step.flow.steps.some(asksModel)) ||
  blocksOf(step).some(({ steps }) => steps.some(asksModel))

const blocksOf = (step: CheckedStep): ReadonlyArray<CheckedBlock> => [
  ...("block" in step ? [step.block] : []),
  ...(step.action === "parallel" ? step.branches.map(({ block }) => block) : []),
  ...(step.action === "switch" ? step.cases.map(({ block }) => block) : []),
  ...(step.action === "switch" && step.default !== undefined ? [step.default] : []),
  ...(typeof step.onError === "object" ? [step.onError] : [])
]
