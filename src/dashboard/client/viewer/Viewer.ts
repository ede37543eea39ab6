import { type ComponentChildren, h, type RefObject } from "preact"
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { ExecutionStatus } from "../../../domain/Execution.ts"
import type { ExecutionView } from "../../ExecutionView.ts"
import { useMay } from "../session/CurrentSession.ts"
import { loading, problemNote } from "../elements/Elements.ts"
import { FieldEditor, fieldOrigin } from "./FieldEditor.ts"
import { warningsOfAll } from "../execution/FindingsSections.ts"
import { legend } from "./Levels.ts"
import { acceptanceOf, targetOf, useCorrections } from "./UseCorrections.ts"
import { useTypedTexts } from "./UseTypedTexts.ts"
import { useViewerKeys } from "./UseViewerKeys.ts"
import { fileOf, filePicker, useFiles } from "./ViewerFiles.ts"
import { viewerFields } from "./ViewerFields.ts"
import { isOpen, type Item, itemsOf } from "./ViewerItems.ts"
import { ViewerPages } from "./ViewerPages.ts"
import { ask, messageOf, type Answer } from "../elements/Http.ts"
import { navigate } from "../elements/Router.ts"

/** Goes to the next document that waits for review, or says that there is none. */
const useNextDocument = ({
  execution: { id },
  organization
}: ExecutionView): { readonly told: string | undefined; readonly go: () => void } => {
  const [told, tell] = useState<string>()
  const go = () => {
    const after = { id: organization.id, after: id }
    ask("POST /dashboard/api/organizations/:id/reviews/next", after).then(
      ({ executionId }) =>
        executionId === null
          ? tell("No other document waits for review.")
          : navigate(`/dashboard/executions/${executionId}`),
      (failure: unknown) => tell(messageOf(failure))
    )
  }
  return { told, go }
}

/** Names the button to the next document, among the keys of fields. */
const nextKey = "next"

/** Gives the focus to a field of the list, or to the button below it, as soon as it is drawn. */
const useFieldFocus = (list: RefObject<HTMLElement | null>): ((key: string | undefined) => void) => {
  const [wanted, want] = useState<{ readonly key: string | undefined }>()
  useLayoutEffect(() => {
    const found = [...(list.current?.querySelectorAll("[data-item]") ?? [])].find(
      (element) => element instanceof HTMLElement && element.dataset["item"] === wanted?.key
    )
    if (!(found instanceof HTMLElement)) return
    found.focus({ preventScroll: true })
    found.scrollIntoView({ block: "nearest" })
  }, [wanted])
  return (key) => want({ key })
}

/** What the viewer is doing with the chosen field. */
type Mode = "looking" | "editing" | "drawing"

/** The document next to its fields: pointing at one highlights the other; values are accepted and corrected here. */
export const Viewer = ({ view }: { readonly view: ExecutionView }): ComponentChildren => {
  const { id, status } = view.execution
  const corrections = useCorrections(id)
  const saved = corrections.data?.corrections
  const { refusal } = corrections
  const items = useMemo(() => itemsOf(view, saved), [view, saved])
  const all = useMemo(() => items.flatMap((item) => [item, ...item.rows.flat()]), [items])
  const levels = useMemo(() => new Map(all.map(({ key, level }) => [key, level])), [all])
  const [selected, setSelected] = useState<string>()
  const [pointed, setPointed] = useState<string>()
  const [mode, setMode] = useState<Mode>("looking")
  const nextDocument = useNextDocument(view)
  const typed = useTypedTexts(id)
  const list = useRef<HTMLDivElement>(null)
  const focusNext = useFieldFocus(list)
  const stillSelected = useRef(selected)
  stillSelected.current = selected
  const chosen = all.find(({ key }) => key === selected)
  const files = useFiles(view, items, chosen)
  const { attachment, sizes } = files
  const corrected = useMemo(
    () =>
      all.filter(({ file, level }) => level === "corrected" && (file === undefined) === (attachment === "")),
    [all, attachment]
  )
  const wanted = useMemo(() => (chosen?.page === undefined ? undefined : { page: chosen.page }), [selected])
  const open = items.filter(isOpen)
  const mayCorrect = useMay("reviewer")
  const canCorrect = mayCorrect && status === "completed"
  const canDraw = canCorrect && attachment === ""

  const select = (key: string) => {
    setMode("looking")
    setSelected(key)
    showInList(key, all)
  }
  const chooseByKey = (key: string) => {
    focusNext(key)
    select(key)
  }
  const leave = () => {
    if (mode === "looking") return
    if (mode === "editing" && selected !== undefined) typed.keep(selected, undefined)
    focusNext(selected)
    setMode("looking")
  }
  const goOn = (item: Item) => {
    // Who chose another field in the meantime stays there.
    if (stillSelected.current !== item.key) return
    setMode("looking")
    const list = open.filter(({ key }) => key !== item.key)
    const next = list[Math.min(list.length - 1, Math.max(0, open.indexOf(item)))]
    if (next !== undefined) chooseByKey(next.key)
    else focusNext(nextKey)
  }
  const save = async (item: Item, how: object) => {
    const sent = typed.all.get(item.key)
    if (!(await corrections.save({ ...targetOf(item), ...how }))) return
    typed.settle(item.key, sent)
    goOn(item)
  }
  const accept = (item: Item) => {
    // What was corrected earlier, be it only a cell of the table, is what is accepted now.
    if (canCorrect) save(item, acceptanceOf(item))
  }
  const revert = async (item: Item) => {
    typed.keep(item.key, undefined)
    if (await corrections.revert(targetOf(item))) focusNext(item.key)
  }
  const undo = async () => {
    const key = await corrections.undo()
    if (key !== undefined) chooseByKey(key)
  }
  const mayType = canCorrect && chosen !== undefined && chosen.rows.length === 0
  useViewerKeys({
    items,
    chosen,
    editing: mode === "editing",
    select: chooseByKey,
    accept: () => chosen !== undefined && accept(chosen),
    edit: () => mayType && setMode("editing"),
    type: (text) => {
      if (!mayType) return
      typed.keep(chosen.key, text)
      setMode("editing")
    },
    undo,
    leave,
    finish: () => open.length === 0 && nextDocument.go()
  })

  const below = (item: Item): ComponentChildren =>
    html`${fieldOrigin(item)}
    ${
      canCorrect
        ? h(FieldEditor, {
            key: item.key,
            item,
            editing: mode === "editing",
            drawing: mode === "drawing",
            saving: corrections.saving.has(item.key),
            refusal: refusal?.of === item.key ? refusal : undefined,
            notes: ofField(corrections.data?.notes, item).map(({ message }) => message),
            taught: item.row === undefined ? ofField(corrections.data?.taught, item) : [],
            canDraw,
            typed: typed.all.get(item.key),
            onInput: (text) => typed.keep(item.key, text),
            onEdit: (editing) => (editing ? setMode("editing") : leave()),
            onDraw: (drawing) => setMode(drawing ? "drawing" : "looking"),
            onAccept: () => accept(item),
            onRevert: () => revert(item),
            onType: (value) => save(item, { value: value === "" ? null : value })
          })
        : null
    }`

  if (sizes === undefined) return loading(files.problem)
  return html`<div class=${items.length === 0 ? "viewer viewer-empty" : "viewer"}>
    <div class="viewer-fields" ref=${list}>
      <p class="viewer-summary" aria-live="polite">${summary(items.length, open.length, status)}</p>
      ${warningsOfAll(view)} ${problemNote(corrections.problem)}
      ${refusal === undefined || refusal.of === selected ? null : problemNote(`${labelOf(refusal.of, all)} was not saved. ${refusal.message}`)}
      ${items.length === 0 ? null : legend()}
      ${viewerFields({ items, selected, pointed, typed: typed.all, editing: mode === "editing", onPoint: setPointed, onSelect: select, below })}
      ${
        items.length === 0
          ? null
          : html`<p class="quiet keys">
              <span><kbd>Alt</kbd> <kbd>↓</kbd> next to check</span>
              <span><kbd>Alt</kbd> <kbd>↑</kbd> previous</span>
              <span><kbd>Ctrl</kbd> <kbd>Enter</kbd> accept</span>
              <span><kbd>F2</kbd>, or type, to edit</span>
              <span><kbd>Ctrl</kbd> <kbd>Z</kbd> undo</span>
            </p>`
      }
      ${
        canCorrect && items.length > 0
          ? html`<div class="buttons">
                <button
                  type="button"
                  class=${open.length === 0 ? "primary" : ""}
                  data-item=${nextKey}
                  onClick=${nextDocument.go}
                >
                  Next document to review
                </button>
                ${corrections.canUndo ? html`<button type="button" onClick=${undo}>Undo</button>` : null}
                ${(saved?.length ?? 0) === 0 ? null : h(TestSetButton, { id })}
              </div>
              ${nextDocument.told === undefined ? null : html`<p class="note" role="status">${nextDocument.told}</p>`}`
          : null
      }
    </div>
    ${h(ViewerPages, {
      key: attachment,
      above: filePicker(files),
      file: fileOf(id, attachment),
      sizes,
      wanted,
      levels,
      corrected,
      selected,
      pointed,
      drawing: mode === "drawing",
      onPoint: setPointed,
      onSelect: select,
      onDrawn: (drawn) => chosen !== undefined && save(chosen, drawn)
    })}
  </div>`
}

const ofField = <A extends Pick<Item, "step" | "field">>(
  all: ReadonlyArray<A> | undefined,
  { field, step }: Item
): ReadonlyArray<A> => all?.filter((one) => one.step === step && one.field === field) ?? []

const summary = (fields: number, open: number, status: ExecutionStatus): string => {
  if (fields === 0 && (status === "pending" || status === "running")) return "No fields yet."
  if (fields === 0) return "No fields were extracted."
  if (open === 0) return "All fields have a high confidence or are confirmed."
  return `${open} of ${fields} fields should be checked.`
}

const labelOf = (of: string, all: ReadonlyArray<Item>): string =>
  all.find(({ key }) => key === of)?.label ?? ""

const showInList = (key: string, all: ReadonlyArray<Item>): void => {
  const found = all.find((item) => item.key === key)
  const row = [...document.querySelectorAll(".field-row")].find(
    (element) =>
      element instanceof HTMLElement && JSON.parse(element.dataset["key"] ?? "[]")[1] === found?.field
  )
  row?.scrollIntoView({ block: "nearest" })
}

const testSet = "GET /api/v1/runs/:executionId/test-set"

const save = (name: string, address: string): void => {
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
}

const download = ({ document: file, name, text }: Answer<typeof testSet>): void => {
  save(name, `data:application/yaml;charset=utf-8,${encodeURIComponent(text)}`)
  if (file !== undefined) save(file.filename, `data:application/octet-stream;base64,${file.base64}`)
}

/** Gives the corrected and accepted values as a file that `docflow test` reads. */
const TestSetButton = ({ id }: { readonly id: string }): ComponentChildren => {
  const [problem, setProblem] = useState<string>()
  const get = () => {
    setProblem(undefined)
    ask(testSet, { executionId: id }).then(download, (failure: unknown) => setProblem(messageOf(failure)))
  }
  return html`<button
      type="button"
      title="The values that were corrected or accepted, as a file for docflow test, with the document if the organization allows that. Otherwise put the document next to it."
      onClick=${get}
    >
      Download as test case
    </button>
    ${problemNote(problem)}`
}
