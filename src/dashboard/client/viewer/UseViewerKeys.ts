import { useLayoutEffect } from "preact/hooks"
import { isOpen, type Item } from "./ViewerItems.ts"
import { isTyped, pressedIn } from "./ViewerPages.ts"

interface ViewerActions {
  readonly items: ReadonlyArray<Item>
  readonly chosen: Item | undefined
  readonly select: (key: string) => void
  readonly accept: () => void
  readonly edit: () => void
  readonly draw: () => void
  readonly leave: () => void
  /** Called on Enter, unless something else handles it. */
  readonly finish: () => void
}

/** The next field to check, or the one before; with none of them, of all fields. */
const neighbour = ({ chosen, items }: ViewerActions, by: number): Item | undefined => {
  const open = items.filter(isOpen)
  const list = open.length === 0 ? items : open
  const at = list.findIndex(({ key }) => key === chosen?.key)
  return list.at(at === -1 ? (by === 1 ? 0 : -1) : (at + by + list.length) % list.length)
}

/** What Enter presses; it does nothing on the field that is chosen already. */
const controls = 'a, summary, button:not(.field-button[aria-pressed="true"])'

/** The keys of the viewer: N, P, A, E, D, Escape and Enter. */
export const useViewerKeys = (actions: ViewerActions): void => {
  // Runs before the screen shows the new choice: a key pressed at that moment applies to it, not to the earlier one.
  useLayoutEffect(() => {
    const go = (by: number) => {
      const item = neighbour(actions, by)
      if (item !== undefined) actions.select(item.key)
    }
    const keys: Readonly<Record<string, () => void>> = {
      n: () => go(1),
      p: () => go(-1),
      a: actions.accept,
      e: actions.edit,
      d: actions.draw,
      Escape: actions.leave
    }
    const press = (event: KeyboardEvent) => {
      if (isTyped(event)) return
      const isOnControl = pressedIn(event)?.matches(controls) === true
      if (event.key === "Enter" && !isOnControl) return actions.finish()
      // With Caps Lock, letters are capitals, as they are on the page.
      const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  })
}
