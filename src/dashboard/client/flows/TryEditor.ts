import { h, type ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { ExecutionView } from "../../ExecutionView.ts"
import { base64Of, DropZone } from "../elements/DropZone.ts"
import { badge, loading, problemNote } from "../elements/Elements.ts"
import { failureNote, isEnded } from "../execution/ExecutionPage.ts"
import { FlowWorkbench, showFlow } from "./FlowWorkbench.ts"
import { type Answer, ask, call, messageOf } from "../elements/Http.ts"
import { useEditName } from "../session/KeptEdits.ts"
import { useLive, liveProgress } from "../execution/LiveProgress.ts"
import { OutputSection } from "../execution/OutputSection.ts"
import { Link } from "../elements/Router.ts"
import { useResource } from "../elements/UseResource.ts"
import { Viewer } from "../viewer/Viewer.ts"

interface TryEditorProps {
  readonly organizationId: string
  readonly flowId: string
  readonly environment: string
}

type Started = Answer<"POST /api/v1/flows/:flowId/run">
type Draft = Answer<"POST /dashboard/api/drafts">

/** An editor of a flow next to its result on a document: edit it, run it again on the same document, and save it. */
export const TryEditor = ({ environment, flowId, organizationId }: TryEditorProps): ComponentChildren => {
  const { data, problem } = useResource(call("GET /dashboard/api/flows/:id", { id: flowId }))
  const nameOf = useEditName()
  const source = useRef<string | undefined>(undefined)
  const [executionId, setExecutionId] = useState<string>()
  const [ended, setEnded] = useState<ExecutionView>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  if (data === undefined) return loading(problem)

  const start = (run: (draft: Draft) => Promise<Started>) => {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    ask("POST /dashboard/api/drafts", { body: { source: source.current ?? data.source } })
      .then(run)
      .then(
        (started) => setExecutionId(started.id),
        (cause: unknown) => setFailure(messageOf(cause))
      )
      .finally(() => setBusy(false))
  }
  const runOn = (file: File) =>
    start(async ({ id, version }) => {
      const document = { base64: await base64Of(file), filename: file.name }
      const body = { version, input: { document } }
      return ask(
        "POST /api/v1/flows/:flowId/run",
        { flowId: id, body },
        { payer: { organizationId, environment } }
      )
    })
  const runAgain = () =>
    start(({ version }) =>
      ask("POST /api/v1/runs/:executionId/replay", { executionId: executionId ?? "", body: { version } })
    )

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
  const { data, problem, reload } = useResource(call("GET /dashboard/api/executions/:id", { id }))
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
