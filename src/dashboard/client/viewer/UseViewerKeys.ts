import { useLayoutEffect, useRef } from "preact/hooks"
import { isOpen, type Item } from "./ViewerItems.ts"
import { isInField, pressedIn } from "./ViewerPages.ts"

interface ViewerActions {
  readonly items: ReadonlyArray<Item>
  readonly chosen: Item | undefined
  readonly editing: boolean
  readonly select: (key: string) => void
  readonly accept: () => void
  readonly edit: () => void
  /** Called with what was typed over the chosen value. */
  readonly type: (text: string) => void
  readonly undo: () => void
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

/** A key with its modifiers, such as `Ctrl+z`; Command counts as Ctrl. */
const nameOf = ({ altKey, ctrlKey, key, metaKey }: KeyboardEvent): string =>
  `${ctrlKey || metaKey ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${key.length === 1 ? key.toLowerCase() : key}`

/**
 * The keys of the viewer. No letter is a shortcut: a character replaces the chosen value, as in a spreadsheet, so that typing
 * never accepts a value or moves on.
 */
export const useViewerKeys = (actions: ViewerActions): void => {
  // Characters that arrive before the editor is drawn belong to its text.
  const typed = useRef("")
  useLayoutEffect(() => {
    if (actions.editing) typed.current = ""
  }, [actions.editing])
  // Runs before the screen shows the new choice: a key pressed at that moment applies to it, not to the earlier one.
  useLayoutEffect(() => {
    const go = (by: number) => {
      const item = neighbour(actions, by)
      if (item !== undefined) actions.select(item.key)
    }
    const keys: Readonly<Record<string, () => void>> = {
      "Alt+ArrowDown": () => go(1),
      "Alt+ArrowUp": () => go(-1),
      "Ctrl+Enter": actions.accept,
      "Ctrl+z": actions.undo,
      F2: actions.edit,
      Escape: actions.leave
    }
    const press = (event: KeyboardEvent) => {
      if (isInField(event)) return
      const isOnControl = pressedIn(event)?.matches(controls) === true
      const name = nameOf(event)
      if (name === "Enter" && !isOnControl) return actions.finish()
      const action = keys[name]
      if (action !== undefined) {
        event.preventDefault()
        return action()
      }
      const isCharacter = event.key.length === 1 && event.key !== " " && !/^(?:Ctrl|Alt)/u.test(name)
      if (!isCharacter || actions.chosen === undefined) return
      event.preventDefault()
      typed.current += event.key
      actions.type(typed.current)
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  })
}
