import { useRef, useState } from "preact/hooks"
import { forgetEdit, keepEdit, keptEdit } from "./KeptEdits.ts"
import { useLeaveQuestion } from "./Leaving.ts"

const question =
  "Your changes to this flow are not saved. Leave the page? They are kept until you sign out or close this tab."

/** The source of a flow as it is edited. */
interface EditedSource {
  /** The source with which the editor begins: with earlier changes, if they were not saved. */
  readonly first: string
  readonly now: string
  readonly change: (source: string) => void
  /** Begins again with the saved source. */
  readonly discard: () => void
  /** Forgets the changes, because they are saved. */
  readonly settle: () => void
}

/** The source in an editor; changes are kept until they are saved, and the person is asked before leaving them. */
export const useEditedSource = (source: string, editName: string): EditedSource => {
  const [first, setFirst] = useState(() => keptEdit(editName) ?? source)
  const [now, setNow] = useState(first)
  const isUnsaved = useRef(first !== source)
  useLeaveQuestion(isUnsaved, question)
  const settle = () => {
    isUnsaved.current = false
    forgetEdit(editName)
  }
  return {
    first,
    now,
    change: (changed) => {
      setNow(changed)
      if (changed === source) return settle()
      isUnsaved.current = true
      keepEdit(editName, changed)
    },
    discard: () => {
      settle()
      setNow(source)
      setFirst(source)
    },
    settle
  }
}
