import { h, type ComponentChildren } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { PageSizes } from "../../domain/PageText.ts"
import type { ExecutionView } from "../ExecutionView.ts"
import { loading } from "./Elements.ts"
import { legend } from "./Levels.ts"
import { useResource } from "./UseResource.ts"
import { viewerFields } from "./ViewerFields.ts"
import { isOpen, type Item, itemsOf } from "./ViewerItems.ts"
import { isTyped, ViewerPages } from "./ViewerPages.ts"

/** The document next to its fields: pointing at one shows the other. */
export const Viewer = ({ view }: { readonly view: ExecutionView }): ComponentChildren => {
  const { id } = view.execution
  const { data: sizes, problem } = useResource<PageSizes>(`/executions/${id}/pages`)
  const items = useMemo(() => itemsOf(view), [view])
  const all = useMemo(() => items.flatMap((item) => [item, ...item.rows.flat()]), [items])
  const levels = useMemo(() => new Map(all.map(({ key, level }) => [key, level])), [all])
  const [selected, setSelected] = useState<string>()
  const [pointed, setPointed] = useState<string>()
  const chosen = all.find(({ key }) => key === selected)
  const wanted = useMemo(() => (chosen?.page === undefined ? undefined : { page: chosen.page }), [chosen])
  const select = (key: string) => {
    setSelected(key)
    showInList(key, all)
  }
  const open = items.filter(isOpen)
  useViewerKeys(items, selected, select)

  if (sizes === undefined) return loading(problem)
  return html`<div class="viewer">
    <div class="viewer-fields">
      <p class="viewer-summary" role="status">
        ${
          items.length === 0
            ? "No fields were extracted."
            : open.length === 0
              ? "Every field is sure or confirmed."
              : `${open.length} of ${items.length} fields should be checked.`
        }
      </p>
      ${legend()}
      ${viewerFields({ items, selected, pointed, onPoint: setPointed, onSelect: select, below: readFrom })}
      <p class="quiet keys">
        <kbd>N</kbd> next doubtful <kbd>P</kbd> previous <kbd>+</kbd> <kbd>−</kbd> zoom
      </p>
    </div>
    ${h(ViewerPages, {
      executionId: id,
      sizes,
      wanted,
      levels,
      selected,
      pointed,
      drawing: false,
      onPoint: setPointed,
      onSelect: select,
      onDrawn: () => undefined
    })}
  </div>`
}

/** Where a value was read. */
const readFrom = ({ page, text }: Item): ComponentChildren =>
  page === undefined
    ? html`<p class="field-place quiet">The value is on no page.</p>`
    : html`<p class="field-place quiet">Page ${page}${text === undefined ? null : html`: <q>${text}</q>`}</p>`

const showInList = (key: string, all: ReadonlyArray<Item>): void => {
  const found = all.find((item) => item.key === key)
  const row = [...document.querySelectorAll(".field-row")].find(
    (element) =>
      element instanceof HTMLElement && JSON.parse(element.dataset["key"] ?? "[]")[1] === found?.field
  )
  row?.scrollIntoView({ block: "nearest" })
}

/** N and P go through the fields that should be checked; with none of them, through all. */
const useViewerKeys = (
  items: ReadonlyArray<Item>,
  selected: string | undefined,
  select: (key: string) => void
): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const by = event.key === "n" ? 1 : event.key === "p" ? -1 : 0
      if (by === 0 || isTyped(event)) return
      const open = items.filter(isOpen)
      const list = open.length === 0 ? items : open
      const at = list.findIndex(({ key }) => key === selected)
      const next = list.at(at === -1 ? (by === 1 ? 0 : -1) : (at + by + list.length) % list.length)
      if (next !== undefined) select(next.key)
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  })
}
