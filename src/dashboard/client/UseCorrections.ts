import { useRef, useState } from "preact/hooks"
import type { Correction, Corrections } from "../../domain/Corrections.ts"
import { messageOf, put, Refused } from "./Http.ts"
import { useResource } from "./UseResource.ts"
import type { Item } from "./ViewerItems.ts"

/** The corrections of an execution, and a function to save more. */
export interface Correcting {
  readonly data: Corrections | undefined
  readonly problem: string | undefined
  /** Saves one correction; true once it is saved. */
  readonly save: (correction: Correction) => Promise<boolean>
}

/** The field or cell that an item is. */
export const targetOf = ({ column, field, row, step }: Item): Correction => ({
  step,
  field,
  ...(row === undefined || column === undefined ? {} : { row, column })
})

/** Reads and saves the corrections of an execution, one after the other. */
export const useCorrections = (executionId: string): Correcting => {
  const path = `/executions/${executionId}/corrections`
  const { data, problem, reload, replace } = useResource<Corrections>(path)
  const [failure, setFailure] = useState<string>()
  const latest = useRef<Corrections | undefined>(undefined)
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  if (data !== undefined && data.revision >= (latest.current?.revision ?? 0)) latest.current = data

  const send = async (correction: Correction): Promise<boolean> => {
    setFailure(undefined)
    try {
      const revision = latest.current?.revision ?? 0
      const saved = await put<Corrections>(path, { revision, corrections: [correction] })
      latest.current = saved
      replace(saved)
      return true
    } catch (refusal) {
      setFailure(messageOf(refusal))
      if (refusal instanceof Refused && refusal.status === 409) {
        latest.current = undefined
        reload()
      }
      return false
    }
  }
  return {
    data,
    problem: failure ?? problem,
    save: (correction) => {
      const sent = turn.current.then(() => send(correction))
      turn.current = sent
      return sent
    }
  }
}
