import { useRef, useState } from "preact/hooks"
import type { Correction, Corrections } from "../../../domain/Corrections.ts"
import { ask, call, messageOf, Refused } from "../elements/Http.ts"
import { useResource } from "../elements/UseResource.ts"
import { type Item, keyOf } from "./ViewerItems.ts"

/** Why a correction was not saved. */
export interface Refusal {
  /** The key of the field or cell. */
  readonly of: string
  readonly message: string
  /** Somebody else saved corrections in the meantime; what they saved is shown now. */
  readonly isOutdated: boolean
}

/** The corrections of an execution, and a function to save more. */
export interface Correcting {
  readonly data: Corrections | undefined
  /** Why the corrections cannot be read. */
  readonly problem: string | undefined
  readonly refusal: Refusal | undefined
  /** The keys of the fields that are being saved. */
  readonly saving: ReadonlySet<string>
  /** Saves one correction, unless one of the same field is being saved; true once it is saved. */
  readonly save: (correction: Correction) => Promise<boolean>
  /** Returns a field or cell to what was extracted, unchecked; true once that is saved. */
  readonly revert: (target: Correction) => Promise<boolean>
  /** Undoes the latest change made on this page; returns the key of its field or cell. Undefined if there is none. */
  readonly undo: () => Promise<string | undefined>
  readonly canUndo: boolean
}

/** What is saved at once. */
interface Change {
  readonly reverted?: ReadonlyArray<Correction>
  readonly corrections: ReadonlyArray<Correction>
}

/** The field or cell that an item is. */
export const targetOf = ({
  column,
  field,
  row,
  step
}: Pick<Correction, "step" | "field" | "row" | "column">): Correction => ({
  step,
  field,
  ...(row === undefined || column === undefined ? {} : { row, column })
})

/** What is sent to accept an item as it is shown: without a value, the extracted one is accepted. */
export const acceptanceOf = ({ level, rows, value }: Item): Pick<Correction, "value"> => {
  if (level === "corrected") return { value }
  return rows.flat().some((cell) => cell.level === "corrected")
    ? { value: rows.map((row) => Object.fromEntries(row.map(({ column, value: cell }) => [column, cell]))) }
    : {}
}

/** Reads and saves the corrections of an execution, one after the other. */
export const useCorrections = (executionId: string): Correcting => {
  const reading = ["GET /dashboard/api/executions/:id/corrections", { id: executionId }] as const
  const { data, problem, replace } = useResource<Corrections>(call(...reading))
  const [refusal, setRefusal] = useState<Refusal>()
  const [done, setDone] = useState<ReadonlyArray<{ readonly of: Correction; readonly before: Change }>>([])
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set())
  const sent = useRef(new Set<string>())
  const latest = useRef<Corrections | undefined>(undefined)
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  if (data !== undefined && data.revision >= (latest.current?.revision ?? 0)) latest.current = data

  const know = (corrections: Corrections) => {
    latest.current = corrections
    replace(corrections)
  }
  /** What brings back the corrections that a field has now, those of its cells included. */
  const restoring = ({ field, step }: Correction): Change => ({
    reverted: [{ step, field }],
    corrections: (latest.current?.corrections ?? [])
      .filter((one) => one.field === field && one.step === step)
      .map(({ accepted: _accepted, at: _at, by: _by, ...own }) => own)
  })
  const send = async (change: Change, of: Correction, isUndo: boolean): Promise<boolean> => {
    setRefusal(undefined)
    const before = restoring(of)
    try {
      const revision = latest.current?.revision ?? 0
      const body = { revision, ...change }
      know(await ask("PUT /dashboard/api/executions/:id/corrections", { id: executionId, body }))
      if (!isUndo) setDone((all) => [...all, { of, before }])
      return true
    } catch (failure) {
      const isOutdated = failure instanceof Refused && failure.status === 409
      // Before it is told, so that the value of the others is shown with it.
      if (isOutdated) await ask(...reading).then(know, () => undefined)
      setRefusal({ of: keyOf(of), message: messageOf(failure), isOutdated })
      return false
    }
  }
  const inTurn = async (change: Change, of: Correction, isUndo = false): Promise<boolean> => {
    const key = keyOf(of)
    if (sent.current.has(key)) return false
    sent.current.add(key)
    setSaving(new Set(sent.current))
    const own = turn.current.then(() => send(change, of, isUndo))
    turn.current = own
    const isSaved = await own
    sent.current.delete(key)
    setSaving(new Set(sent.current))
    return isSaved
  }
  return {
    data,
    problem,
    refusal,
    saving,
    save: (correction) => inTurn({ corrections: [correction] }, targetOf(correction)),
    revert: (target) => inTurn({ reverted: [target], corrections: [] }, target),
    undo: async () => {
      const last = done.at(-1)
      if (last === undefined || !(await inTurn(last.before, last.of, true))) return undefined
      setDone((all) => all.filter((one) => one !== last))
      return keyOf(last.of)
    },
    canUndo: done.length > 0
  }
}
