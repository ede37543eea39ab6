import { nearest } from "../../../dsl/source/Nearest.ts"
import * as Type from "../../../dsl/types/Type.ts"
import { fromJsonSchema } from "../../../dsl/types/JsonSchemaTypes.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"

/** The keys and indices that lead to a value: `lineItems[0].amount`. */
export type OutputPath = ReadonlyArray<string | number>

const whole = /^[^.[\]]+(?:\.[^.[\]]+|\[\d+\])*$/u

/** Parses a path; undefined if it is invalid. */
export const parseOutputPath = (text: string): OutputPath | undefined =>
  whole.test(text)
    ? [...text.matchAll(/\[(\d+)\]|[^.[\]]+/gu)].map(([part, index]) =>
        index === undefined ? part : Number(index)
      )
    : undefined

/** The value at a path; undefined if there is none. */
export const valueAt = (value: unknown, path: OutputPath): unknown =>
  path.reduce<unknown>(
    (inside, part) =>
      typeof inside === "object" && inside !== null
        ? Object.getOwnPropertyDescriptor(inside, part)?.value
        : undefined,
    value
  )

const step = (type: Type.Type, part: string | number): ReadonlyArray<Type.Type> =>
  Type.members(type).flatMap((member) => {
    if (member.kind === "any") return [member]
    if (typeof part === "number") return member.kind === "list" ? [member.items] : []
    if (member.kind !== "object") return []
    const found = member.fields.get(part)?.type ?? member.rest
    return found === undefined ? [] : [found]
  })

const namesIn = (type: Type.Type): ReadonlyArray<string> =>
  Type.members(type).flatMap((member) => (member.kind === "object" ? Array.from(member.fields.keys()) : []))

/** What the test sets of a flow can refer to. */
export interface Known {
  readonly output: Type.Type
  /** The fields that its steps extract; those that are not part of the output can be tested, too. */
  readonly fields: ReadonlySet<string>
}

const collectFields = (value: unknown, found: Set<string>): void => {
  if (typeof value !== "object" || value === null) return
  const { with: config }: { with?: unknown } = value
  if (typeof config === "object" && config !== null && "fields" in config) {
    for (const name of Object.keys(config.fields ?? {})) found.add(name)
  }
  for (const inside of Object.values(value)) collectFields(inside, found)
}

/** What test sets can expect of a flow. */
export const knownOf = (flow: RunnableFlow): Known => {
  const fields = new Set<string>()
  collectFields(flow.definition.steps, fields)
  return { output: fromJsonSchema(flow.outputSchema, { closed: true }), fields }
}

/** The unknown part of a path, and the path that was most likely meant. */
export interface Unknown {
  readonly part: string | number
  readonly known: ReadonlyArray<string>
  readonly meant: string | undefined
}

/** Finds the unknown part of a path; undefined if the path is valid. */
export const findUnknown = (path: OutputPath, { fields, output }: Known): Unknown | undefined => {
  const [first] = path
  if (path.length === 1 && typeof first === "string" && fields.has(first)) return undefined
  let types: ReadonlyArray<Type.Type> = [output]
  for (const [index, part] of path.entries()) {
    const next = types.flatMap((type) => step(type, part))
    if (next.length === 0) {
      const known = [...new Set([...types.flatMap(namesIn), ...(index === 0 ? fields : [])])]
      return { part, known, meant: nearest(String(part), known) }
    }
    types = next
  }
  return undefined
}
