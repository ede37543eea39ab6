import { Predicate, Schema, Struct } from "effect"
import { FieldEvidence } from "../../domain/Evidence.ts"

type Named = Readonly<Record<string, FieldEvidence>>

/** What `include=fields` says of a leaf of the output; null where the leaf was not read from the document. */
type OutputField = Omit<FieldEvidence, "value" | "cells"> | null

const Fields = Schema.Record(Schema.String, FieldEvidence)
const isFields = Schema.is(Fields)

/** The evidence of all steps by the names of their fields, later steps first: `combine` comes after what it combines. */
const evidenceOf = (artifacts: { readonly [path: string]: unknown }): ReadonlyArray<Named> =>
  Object.values(artifacts)
    .flatMap((artifact) => {
      const fields = Predicate.isObject(artifact) && "fields" in artifact ? artifact.fields : undefined
      return isFields(fields) ? [fields] : []
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

/** The evidence of a value under a name: of the field of that name, or of the only field with that value. */
const found = (
  steps: ReadonlyArray<Named>,
  name: string | undefined,
  value: unknown
): FieldEvidence | undefined => {
  const own = steps.map((fields) => (name === undefined ? undefined : fields[name]))
  const named = own.find((evidence) => evidence !== undefined && isSame(evidence.value, value))
  if (named !== undefined) return named
  // A missing table is an empty array in the output, and a missing value null.
  const missing = own.find((evidence) => evidence?.status === "missing")
  if (missing !== undefined && (value === null || (Array.isArray(value) && value.length === 0)))
    return missing
  if (value === null || typeof value === "boolean") return undefined
  const others = steps.flatMap((fields) =>
    Object.values(fields).filter((evidence) => isSame(evidence.value, value))
  )
  return others.length === 1 ? others[0] : undefined
}

const shown = (evidence: FieldEvidence): OutputField => Struct.omit(evidence, ["cells", "value"])

/** A cell of a table: its own place where rules read it, and otherwise that of the whole table. */
const cellOf = (table: FieldEvidence, row: number, column: string, value: unknown): OutputField => {
  if (value === null) return { confidence: 0, status: "missing" }
  const cell = table.cells?.[row]?.[column]
  const { confidence, status } = table
  if (cell === undefined) return { confidence, status, ...(table.by === undefined ? {} : { by: table.by }) }
  return { ...cell, status, ...(table.by === undefined ? {} : { by: table.by }) }
}

const rowsOf = (table: FieldEvidence, rows: ReadonlyArray<unknown>): unknown =>
  rows.map((row, at) =>
    Predicate.isObject(row)
      ? Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, cellOf(table, at, column, value)])
        )
      : shown(table)
  )

const walk = (steps: ReadonlyArray<Named>, name: string | undefined, value: unknown): unknown => {
  const evidence = found(steps, name, value)
  if (Array.isArray(value)) {
    if (evidence !== undefined && value.length > 0) return rowsOf(evidence, value)
    return value.map((item) => walk(steps, undefined, item))
  }
  if (Predicate.isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(steps, key, item)]))
  return evidence === undefined ? null : shown(evidence)
}

/**
 * For every leaf of an output, in the output's own shape: how sure it is, and where it was read. A leaf is matched with
 * the evidence of the steps by its name and its value; null where no step has evidence for it.
 */
export const outputFields = (output: unknown, artifacts: { readonly [path: string]: unknown }): unknown =>
  walk(evidenceOf(artifacts), undefined, output)
