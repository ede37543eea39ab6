import type { CorrectedField } from "../../../domain/Corrections.ts"
import type { Box } from "../../../domain/DocumentIR.ts"
import type { CellEvidence, FieldEvidence } from "../../../domain/Evidence.ts"
import type { ExecutionView, StepFindings } from "../../ExecutionView.ts"

/** How much a value can be trusted, in words; each has its own colour and shape. */
export type Level = "missing" | "doubtful" | "check" | "sure" | "confirmed" | "corrected"

/** A field, or a cell of a table, with its value and place. */
export interface Item {
  /** Shared with its place on a page: see `keyOf`. */
  readonly key: string
  readonly step: string
  readonly field: string
  readonly row?: number
  readonly column?: string
  readonly label: string
  readonly value: unknown
  readonly level: Level
  readonly confidence: number
  /** Why a person should look at it. */
  readonly reasons: ReadonlyArray<string>
  readonly page?: number
  /** The box that a person drew around the right value. */
  readonly drawn?: { readonly page: number; readonly bbox: Box }
  /** Who corrected or accepted it, and when. */
  readonly checked?: { readonly by: string; readonly at: string }
  /** The file inside the document that it was read from. */
  readonly file?: string
  /** The text of the document that holds the value. */
  readonly text?: string
  /** The rows of a table. */
  readonly rows: ReadonlyArray<ReadonlyArray<Item>>
}

interface Placed {
  readonly step: string
  readonly field: string
  readonly row?: number
  readonly column?: string
}

/** The name of a field or cell within an execution. */
export const keyOf = ({ column = "", field, row, step }: Placed): string =>
  JSON.stringify([step, field, row ?? -1, column])

/** As in `src/domain/Evidence.ts`, which the browser does not load. */
export const sureFrom = 0.9
const doubtfulBelow = 0.5

const levelOf = ({ confidence, status }: FieldEvidence, reviewed: boolean): Level => {
  if (status === "missing") return "missing"
  if (confidence < doubtfulBelow) return "doubtful"
  return confidence < sureFrom || reviewed ? "check" : "sure"
}

/** Whether a person should check it. */
export const isOpen = ({ level, reasons }: Item): boolean =>
  level === "doubtful" || level === "check" || (level === "missing" && reasons.length > 0)

const cellOf = (
  cell: Pick<Item, "step" | "field" | "value" | "file"> & { readonly row: number; readonly column: string },
  evidence: CellEvidence | undefined
): Item => {
  const confidence = evidence?.confidence ?? 0
  return {
    ...cell,
    key: keyOf(cell),
    label: `${cell.field}, row ${cell.row + 1}, ${cell.column}`,
    level:
      evidence === undefined
        ? "missing"
        : levelOf({ value: cell.value, confidence, status: "grounded" }, false),
    confidence,
    reasons: [],
    ...(evidence === undefined ? {} : { page: evidence.page, text: evidence.text }),
    ...(cell.file === undefined ? {} : { file: cell.file }),
    rows: []
  }
}

const cellsOf = (step: string, field: string, { cells = [], file, value }: FieldEvidence): Item["rows"] => {
  const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  return values.map((cellsOfRow, row) =>
    Object.entries(typeof cellsOfRow === "object" && cellsOfRow !== null ? cellsOfRow : {}).map(
      ([column, cell]) =>
        cellOf(
          { step, field, row, column, value: cell, ...(file === undefined ? {} : { file }) },
          cells[row]?.[column]
        )
    )
  )
}

const itemOf = (findings: StepFindings, field: string, evidence: FieldEvidence, many: boolean): Item => {
  const { path: step, review } = findings
  const asked = review.filter((item) => item.field === field).map(({ reason }) => reason)
  return {
    key: keyOf({ step, field }),
    step,
    field,
    label: many ? `${step} · ${field}` : field,
    value: evidence.value,
    level: levelOf(evidence, asked.length > 0),
    confidence: evidence.confidence,
    reasons: [...new Set([...asked, ...(evidence.doubts ?? [])])],
    ...(evidence.page === undefined ? {} : { page: evidence.page }),
    ...(evidence.text === undefined ? {} : { text: evidence.text }),
    ...(evidence.file === undefined ? {} : { file: evidence.file }),
    rows: cellsOf(step, field, evidence)
  }
}

/** The rows of a table as a person corrected it; the cells that it did not change keep their evidence. */
const correctedRows = (
  { field, file, rows, step }: Item,
  { at, by, value }: CorrectedField
): Item["rows"] => {
  const extracted = new Map(rows.flat().map((cell) => [cell.key, cell]))
  const ofFile = file === undefined ? {} : { file }
  const now = cellsOf(step, field, { value, confidence: 0, status: "inferred", ...ofFile })
  return now.map((row) =>
    row.map((cell) => {
      const own = extracted.get(cell.key)
      return own !== undefined && own.value === cell.value
        ? own
        : { ...cell, level: "corrected", checked: { by, at } }
    })
  )
}

/** An item with what a person said of it. */
const corrected = (item: Item, corrections: ReadonlyArray<CorrectedField>): Item => {
  const found = corrections.find((correction) => keyOf(correction) === item.key)
  const own = found === undefined || found.accepted ? item.rows : correctedRows(item, found)
  const rows = own.map((row) => row.map((cell) => corrected(cell, corrections)))
  if (found === undefined) return { ...item, rows }
  const { at, bbox, by, page, value } = found
  const checked = { by, at }
  if (found.accepted) return { ...item, rows, level: "confirmed", reasons: [], checked }
  // Where the wrong value was read says nothing about the right one.
  const { page: _page, text: _text, ...rest } = item
  return {
    ...rest,
    rows,
    value,
    level: "corrected",
    reasons: [],
    checked,
    ...(page === undefined || bbox === undefined ? {} : { page, drawn: { page, bbox } })
  }
}

/** Every field of an execution: those that need review first, the least certain at the top. */
export const itemsOf = (
  { findings }: ExecutionView,
  corrections: ReadonlyArray<CorrectedField> = []
): ReadonlyArray<Item> => {
  const found = findings.filter(({ fields }) => Object.keys(fields).length > 0)
  const all = found.flatMap((step) =>
    Object.entries(step.fields).map(([field, evidence]) =>
      corrected(itemOf(step, field, evidence, found.length > 1), corrections)
    )
  )
  const open = all.filter(isOpen).toSorted((one, other) => one.confidence - other.confidence)
  return [...open, ...all.filter((item) => !isOpen(item))]
}
