import { h, type ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { ExecutionView } from "../../ExecutionView.ts"
import type { FlowFileView } from "../../FlowsGroup.ts"
import { base64Of, DropZone } from "../elements/DropZone.ts"
import { badge, loading, problemNote } from "../elements/Elements.ts"
import { failureNote, isEnded } from "../execution/ExecutionPage.ts"
import { FlowWorkbench, showFlow } from "./FlowWorkbench.ts"
import { messageOf, post } from "../elements/Http.ts"
import { useEditName } from "../session/KeptEdits.ts"
import { useLive } from "../execution/LiveEvents.ts"
import { liveProgress } from "../execution/LiveProgress.ts"
import { OutputSection } from "../execution/OutputSection.ts"
import { Link } from "../elements/Router.ts"
import { useResource } from "../elements/UseResource.ts"
import { Viewer } from "../viewer/Viewer.ts"

interface TryEditorProps {
  readonly organizationId: string
  readonly flowId: string
  readonly environment: string
}

interface Started {
  readonly executionId: string
}

/** An editor of a flow next to its result on a document: edit it, run it again on the same document, and save it. */
export const TryEditor = ({ environment, flowId, organizationId }: TryEditorProps): ComponentChildren => {
  const { data, problem } = useResource<FlowFileView>(`/flows/${encodeURIComponent(flowId)}`)
  const nameOf = useEditName()
  const source = useRef<string | undefined>(undefined)
  const [executionId, setExecutionId] = useState<string>()
  const [ended, setEnded] = useState<ExecutionView>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  if (data === undefined) return loading(problem)

  const start = (run: (draft: { readonly id: string; readonly version: string }) => Promise<Started>) => {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    post<{ readonly id: string; readonly version: string }>("/drafts", {
      source: source.current ?? data.source
    })
      .then(run)
      .then(
        (started) => setExecutionId(started.executionId),
        (cause: unknown) => setFailure(messageOf(cause))
      )
      .finally(() => setBusy(false))
  }
  const runOn = (file: File) =>
    start(async ({ id, version }) => {
      const document = { base64: await base64Of(file), filename: file.name }
      const path = `/organizations/${organizationId}/flows/${id}/run?environment=${environment}`
      return post<Started>(path, { version, input: { document } })
    })
  const runAgain = () =>
    start(({ version }) => post<Started>(`/executions/${executionId}/replay`, { version }))

  return html`<div class="try-editor">
      <div>
        ${h(FlowWorkbench, {
          key: flowId,
          source: data.source,
          editName: nameOf(flowId, data.version),
          onSource: (changed) => {
            source.current = changed
          },
          onSaved: showFlow,
          buttons: html`<button
            type="button"
            class="primary"
            disabled=${executionId === undefined}
            aria-disabled=${busy}
            onClick=${runAgain}
          >
            Run on the same document
          </button>`
        })}
      </div>
      <div>
        ${h(DropZone, {
          many: false,
          text: "Drop a document here, or choose it, to run the flow as it is in the editor.",
          onFiles: ([file]) => file !== undefined && runOn(file)
        })}
        ${problemNote(failure)}
        ${executionId === undefined ? null : h(LiveResult, { key: executionId, id: executionId, onEnded: setEnded })}
      </div>
    </div>
    ${
      ended === undefined || ended.execution.id !== executionId || ended.document === null
        ? null
        : h(Viewer, { key: executionId, view: ended })
    }`
}

/** The result of a run, updated live. */
const LiveResult = ({
  id,
  onEnded
}: {
  readonly id: string
  readonly onEnded: (view: ExecutionView) => void
}): ComponentChildren => {
  const { data, problem, reload } = useResource<ExecutionView>(`/executions/${id}`)
  const live = useLive(id, reload)
  useEffect(() => {
    if (data !== undefined && isEnded(data.execution.status)) onEnded(data)
  }, [data])
  if (data === undefined) return loading(problem)
  const { status, version } = data.execution
  return html`<p role="status">
      ${badge(status)} ${h(Link, { to: `/dashboard/executions/${id}` }, `The execution of ${version}`)}
    </p>
    ${liveProgress(data, live)} ${failureNote(data)} ${data.hasOutput ? h(OutputSection, { id }) : null}`
}
