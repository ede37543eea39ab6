import { type ComponentChildren, h } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { CheckedSource, FileProblem } from "../../FlowFilesGroup.ts"
import { problemNote } from "../elements/Elements.ts"
import type { Editor } from "./FlowEditor.ts"
import { changesNote } from "./FlowParts.ts"
import { ask, messageOf } from "../elements/Http.ts"
import { navigate } from "../elements/Router.ts"
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
const useEditedSource = (source: string, editName: string): EditedSource => {
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

/** The pause in typing after which the source is checked, in milliseconds. */
const pause = 400

/** A version of a flow, by its own id: that of the page may have been changed in the editor. */
export interface SavedFlow {
  readonly id: string
  readonly version: string
}

/** Shows a version of a flow; false if the person stays. */
export const showFlow = ({ id, version }: SavedFlow): boolean =>
  navigate(`/dashboard/flows/${id}?version=${encodeURIComponent(version)}`)

interface WorkbenchProps {
  /** The source as it is saved. */
  readonly source: string
  /** The name under which changes are kept until they are saved. */
  readonly editName: string
  /** Whether the person asked for the editor, and so goes on in it. */
  readonly takesFocus?: boolean
  readonly onSource?: (source: string) => void
  readonly onSaved: (saved: SavedFlow) => void
  /** Buttons next to "Save". */
  readonly buttons?: ComponentChildren
}

/** The source of a flow in an editor, with what the checker says of it; saved as a new version. */
export const FlowWorkbench = ({
  buttons,
  editName,
  onSaved,
  onSource,
  source,
  takesFocus = false
}: WorkbenchProps): ComponentChildren => {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const { change, discard, first, now, settle } = useEditedSource(source, editName)
  const [checked, setChecked] = useState<CheckedSource>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    let open = true
    onSource?.(first)
    const begin = async () => {
      // Only who edits loads the editor.
      const { openEditor } = await import("./FlowEditor.ts")
      if (host.current === null || !open) return
      editor.current = openEditor(host.current, {
        source: first,
        onChange: (changed) => {
          change(changed)
          onSource?.(changed)
        }
      })
      if (takesFocus) editor.current.show(1)
    }
    begin().catch((failure: unknown) => setProblem(`The editor cannot be loaded: ${messageOf(failure)}`))
    return () => {
      open = false
      editor.current?.end()
    }
  }, [first])

  useEffect(() => {
    let wanted = true
    setChecked(undefined)
    const check = async () => {
      const found = await ask("POST /dashboard/api/drafts/check", { body: { source: now } })
      if (!wanted) return
      setProblem(undefined)
      setChecked(found)
      editor.current?.mark(found.problems)
    }
    const timer = setTimeout(() => {
      check().catch((failure: unknown) => wanted && setProblem(messageOf(failure)))
    }, pause)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [now])

  const end = (saved: SavedFlow) => {
    settle(now)
    // Who has left the page in the meantime is not brought back.
    if (host.current !== null) onSaved(saved)
  }
  const save = () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    ask("POST /dashboard/api/drafts/save", { body: { source: now } })
      .then(end, (failure: unknown) => setProblem(messageOf(failure)))
      .finally(() => setBusy(false))
  }
  return html`<div class="workbench">
    ${
      first === source
        ? null
        : html`<p class="note" role="status">
            These are your changes that were not saved.${" "}
            <button type="button" class="link" onClick=${discard}>Discard them</button>
          </p>`
    }
    <div class="editor" ref=${host}></div>
    <div aria-live="polite">${verdict(checked, (line) => editor.current?.show(line))}</div>
    ${problemNote(problem)}
    <div class="buttons">
      ${buttons}
      <button
        type="button"
        disabled=${checked === undefined || checked.problems.length > 0}
        aria-disabled=${busy}
        onClick=${save}
      >
        Save as a new version
      </button>
    </div>
  </div>`
}

const verdict = (checked: CheckedSource | undefined, show: (line: number) => void): ComponentChildren => {
  if (checked === undefined) return html`<p class="quiet">Checking …</p>`
  const { changes, id, problems, version } = checked
  if (problems.length > 0) return h(ProblemList, { problems, show })
  return html`<p><strong>No problems.</strong> ${id} ${version}</p>
    ${changes === null ? null : changesNote(changes)}`
}

/** What the checker found, each with the way to its line. */
const ProblemList = ({
  problems,
  show
}: {
  readonly problems: ReadonlyArray<FileProblem>
  readonly show: (line: number) => void
}): ComponentChildren =>
  html`<ul class="problems">
    ${problems.map(
      ({ line, message, suggestion }) =>
        html`<li>
          <button type="button" class="link" onClick=${() => show(line)}>Line ${line}</button>:
          ${message}${" "} ${suggestion === undefined ? null : html`<span class="quiet">${suggestion}</span>`}
        </li>`
    )}
  </ul>`
