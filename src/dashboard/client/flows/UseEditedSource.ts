import { useRef, useState } from "preact/hooks"
import { forgetEdit, keepEdit, keptEdit } from "../session/KeptEdits.ts"
import { useLeaveQuestion } from "../elements/Leaving.ts"

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
  /** Forgets the changes, because this source is saved, unless more was changed in the meantime. */
  readonly settle: (saved: string) => void
}

/** The source in an editor; changes are kept until they are saved, and the person is asked before leaving them. */
export const useEditedSource = (source: string, editName: string): EditedSource => {
  const [first, setFirst] = useState(() => keptEdit(editName) ?? source)
  const [now, setNow] = useState(first)
  const latest = useRef(first)
  const isUnsaved = useRef(first !== source)
  useLeaveQuestion(isUnsaved, question)
  const forget = () => {
    isUnsaved.current = false
    forgetEdit(editName)
  }
  return {
    first,
    now,
    change: (changed) => {
      setNow(changed)
      latest.current = changed
      if (changed === source) return forget()
      isUnsaved.current = true
      keepEdit(editName, changed)
    },
    discard: () => {
      forget()
      latest.current = source
      setNow(source)
      setFirst(source)
    },
    settle: (saved) => {
      if (latest.current === saved) forget()
    }
  }
}
