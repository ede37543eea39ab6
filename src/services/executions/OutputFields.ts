import { Predicate, Schema, Struct } from "effect"
import { FieldEvidence } from "../../domain/Evidence.ts"
import { pointerTo } from "../../support/JsonPointer.ts"

type Named = Readonly<Record<string, FieldEvidence>>

/** The evidence that a step recorded, by the names of its fields. */
interface Step {
  readonly path: string
  readonly fields: Named
}

/** A field that a step extracted, or a row or a cell of a table. */
export interface FieldPlace {
  readonly step: string
  readonly field: string
  readonly row?: number
  readonly column?: string
}

interface Source {
  readonly step: string
  readonly field: string
  readonly evidence: FieldEvidence
}

/** Called for every value of the output that a step extracted. */
type Note = (path: string, place: FieldPlace) => void

/** The entry of `include=fields` for a leaf of the output; null if the leaf was not read from the document. */
type OutputField = Omit<FieldEvidence, "value" | "cells"> | null

const Fields = Schema.Record(Schema.String, FieldEvidence)
const isFields = Schema.is(Fields)

/** The evidence of all steps by the names of their fields, later steps first: `combine` comes after what it combines. */
const evidenceOf = (artifacts: { readonly [path: string]: unknown }): ReadonlyArray<Step> =>
  Object.entries(artifacts)
    .flatMap(([path, artifact]) => {
      const fields = Predicate.isObject(artifact) && "fields" in artifact ? artifact.fields : undefined
      return isFields(fields) ? [{ path, fields }] : []
    })
    .toReversed()

const isSame = (left: unknown, right: unknown): boolean => {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((value, i) => isSame(value, right[i]))
  if (!Predicate.isObject(left) || !Predicate.isObject(right)) return false
  const [ours, theirs] = [Object.entries(left), new Map(Object.entries(right))]
  return ours.length === theirs.size && ours.every(([name, value]) => isSame(value, theirs.get(name)))
}

/** The evidence of a value under a name: of the field of that name, or of the only name with that value. */
const found = (steps: ReadonlyArray<Step>, name: string | undefined, value: unknown): Source | undefined => {
  const own =
    name === undefined
      ? []
      : steps.flatMap(({ fields, path }): ReadonlyArray<Source> => {
          const evidence = Object.hasOwn(fields, name) ? fields[name] : undefined
          return evidence === undefined ? [] : [{ step: path, field: name, evidence }]
        })
  const named = own.find(({ evidence }) => isSame(evidence.value, value))
  if (named !== undefined) return named
  // A missing table is an empty array in the output, and a missing value null.
  const missing = own.find(({ evidence }) => evidence.status === "missing")
  if (missing !== undefined && (value === null || (Array.isArray(value) && value.length === 0)))
    return missing
  if (value === null || typeof value === "boolean") return undefined
  const others = steps.flatMap(({ fields, path }) =>
    Object.entries(fields).flatMap(([field, evidence]): ReadonlyArray<Source> =>
      isSame(evidence.value, value) ? [{ step: path, field, evidence }] : []
    )
  )
  return others.every(({ field }) => field === others[0]?.field) ? others[0] : undefined
}

/** The steps, those that extracted most of an object's members first, because parts of a document may share values. */
const ownersFirst = (steps: ReadonlyArray<Step>, members: object): ReadonlyArray<Step> => {
  if (steps.length < 2) return steps
  const shared = ({ fields }: Step): number =>
    Object.entries(members).filter(
      ([name, value]) => Object.hasOwn(fields, name) && isSame(fields[name]?.value, value)
    ).length
  return steps
    .map((step) => ({ step, count: shared(step) }))
    .toSorted((one, other) => other.count - one.count)
    .map(({ step }) => step)
}

const shown = (evidence: FieldEvidence): OutputField => Struct.omit(evidence, ["cells", "value"])

/** The evidence of a cell: its own place if rules read it, and otherwise that of the whole table. */
const cellOf = (table: FieldEvidence, row: number, column: string, value: unknown): OutputField => {
  if (value === null) return { confidence: 0, status: "missing" }
  const cell = table.cells?.[row]?.[column]
  const { confidence, status } = table
  if (cell === undefined) return { confidence, status, ...(table.by === undefined ? {} : { by: table.by }) }
  return { ...cell, status, ...(table.by === undefined ? {} : { by: table.by }) }
}

const rowsOf = (
  { evidence, field, step }: Source,
  rows: ReadonlyArray<unknown>,
  path: string,
  note: Note
): unknown =>
  rows.map((row, at) => {
    if (!Predicate.isObject(row)) return shown(evidence)
    const pointer = pointerTo(path, at)
    note(pointer, { step, field, row: at })
    return Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        note(pointerTo(pointer, column), { step, field, row: at, column })
        return [column, cellOf(evidence, at, column, value)]
      })
    )
  })

interface At {
  readonly name: string | undefined
  readonly path: string
}

const walk = (steps: ReadonlyArray<Step>, { name, path }: At, value: unknown, note: Note): unknown => {
  if (Predicate.isObject(value)) {
    const owners = ownersFirst(steps, value)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        walk(owners, { name: key, path: pointerTo(path, key) }, item, note)
      ])
    )
  }
  const source = found(steps, name, value)
  if (source !== undefined) note(path, { step: source.step, field: source.field })
  if (Array.isArray(value)) {
    if (source !== undefined && value.length > 0) return rowsOf(source, value, path, note)
    return value.map((item, at) => walk(steps, { name: undefined, path: pointerTo(path, at) }, item, note))
  }
  return source === undefined ? null : shown(source.evidence)
}

const root: At = { name: undefined, path: "" }

/**
 * For every leaf of an output, in the output's shape: its confidence, and where it was read. A leaf is matched with the
 * evidence of the steps by name and value; null if no step has evidence for it.
 */
export const outputFields = (output: unknown, artifacts: { readonly [path: string]: unknown }): unknown =>
  walk(evidenceOf(artifacts), root, output, () => undefined)

/** The field that each value of an output comes from, by the JSON Pointer of the value; matched as in `outputFields`. */
export const outputPlaces = (
  output: unknown,
  artifacts: { readonly [path: string]: unknown }
): ReadonlyMap<string, FieldPlace> => {
  const places = new Map<string, FieldPlace>()
  walk(evidenceOf(artifacts), root, output, (path, place) => places.set(path, place))
  return places
}
