import { useRef, useState } from "preact/hooks"
import { forgetEdit, keepEdit, keptEdit, useEditName } from "../session/KeptEdits.ts"
import { useLeaveQuestion } from "../elements/Leaving.ts"

const question =
  "What you typed into a field is not saved. Leave the page? It is kept until you sign out or close this tab."

/** What was typed into the fields of a document and not saved. */
export interface TypedTexts {
  /** By the keys of fields and cells. */
  readonly all: ReadonlyMap<string, string>
  /** Keeps what was typed into a field; undefined forgets it. */
  readonly keep: (key: string, text: string | undefined) => void
  /** Forgets what was typed, because it is saved, unless more was typed in the meantime. */
  readonly settle: (key: string, saved: string | undefined) => void
}

const textsIn = (kept: string | undefined): ReadonlyMap<string, string> => new Map(JSON.parse(kept ?? "[]"))

/** What the person typed into the fields of an execution; it is kept until it is saved, and asked about before it is left. */
export const useTypedTexts = (executionId: string): TypedTexts => {
  const name = useEditName()("execution", executionId)
  const [all, setAll] = useState(() => textsIn(keptEdit(name)))
  const latest = useRef(all)
  const isUnsaved = useRef(all.size > 0)
  useLeaveQuestion(isUnsaved, question)
  const keep = (key: string, text: string | undefined) => {
    const now = new Map(latest.current)
    if (text === undefined) now.delete(key)
    else now.set(key, text)
    latest.current = now
    isUnsaved.current = now.size > 0
    setAll(now)
    if (now.size > 0) keepEdit(name, JSON.stringify([...now]))
    else forgetEdit(name)
  }
  return {
    all,
    keep,
    settle: (key, saved) => {
      if (latest.current.get(key) === saved) keep(key, undefined)
    }
  }
}
