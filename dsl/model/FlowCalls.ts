import type { CheckedFlow } from "./CheckedFlow.ts"
import type { Problem } from "../source/Problem.ts"
import { type MapNode, type SourceNode, textAt } from "../source/Source.ts"
import { parseYaml } from "../source/Yaml.ts"

/** A call of another flow, and the version that it runs. */
export interface FlowCall {
  readonly flow: string
  /** A version or a range, as the step says; undefined for the latest. */
  readonly range: string | undefined
  readonly version: string
}

/** The version that each call of a flow runs, by `<flow> <range>`. */
export type Pins = { readonly [call: string]: string }

/** The key of a call among pins. */
export const callKey = (flow: string, range: string | undefined): string =>
  range === undefined ? flow : `${flow} ${range}`

/** The versions that a checked flow calls, to be stored with it. */
export const pinsOf = ({ calls }: CheckedFlow): Pins =>
  Object.fromEntries(calls.map(({ flow, range, version }) => [callKey(flow, range), version]))

/** The result of looking up a flow that a step calls. */
export type FoundFlow<R> =
  | { readonly _tag: "Found"; readonly flow: CheckedFlow<R> }
  | { readonly _tag: "NoFlow"; readonly known: ReadonlyArray<string> }
  | { readonly _tag: "NoVersion"; readonly known: ReadonlyArray<string> }
  | { readonly _tag: "Faulty"; readonly version: string; readonly problem: Problem }
  /** The call leads back to the calling flow: the flows on the way, both ends included. */
  | { readonly _tag: "Cycle"; readonly way: ReadonlyArray<string> }
  | { readonly _tag: "TooDeep"; readonly most: number }

/** Finds the flow that a step calls. */
export type FindFlow<R> = (flow: string, range: string | undefined) => FoundFlow<R>

/** The name of the step kind that calls flows. */
export const flowKindName = "flow"

/** What a flow file says about itself and the flows that it calls; nothing is checked. */
export interface Outline {
  readonly id: string | undefined
  readonly version: string | undefined
  readonly calls: ReadonlyArray<{ readonly flow: string; readonly range: string | undefined }>
}

export const outlineOf = (text: string): Outline => {
  const { root } = parseYaml(text, "")
  return root?.kind === "map"
    ? { id: textAt(root, "id"), version: textAt(root, "version"), calls: callsIn(root) }
    : { id: undefined, version: undefined, calls: [] }
}

const callsIn = (node: SourceNode): Outline["calls"] => {
  if (node.kind === "scalar") return []
  if (node.kind === "list") return node.items.flatMap(callsIn)
  const own = textAt(node, "uses") === flowKindName ? callOf(node) : undefined
  const inside = [...node.entries].flatMap(([name, { value }]) => (name === "with" ? [] : callsIn(value)))
  return own === undefined ? inside : [own, ...inside]
}

/** The flow that a step calls, and the range of versions. */
export const callOf = (
  step: MapNode
): { readonly flow: string; readonly range: string | undefined } | undefined => {
  const config = step.entries.get("with")?.value
  const flow = config?.kind === "map" ? textAt(config, "flow") : undefined
  return config?.kind !== "map" || flow === undefined ? undefined : { flow, range: textAt(config, "version") }
}
