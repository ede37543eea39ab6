import { type RefObject } from "preact"
import { useEffect } from "preact/hooks"

/** Something of a page that would be lost by leaving it. */
interface Loss {
  readonly isUnsaved: RefObject<boolean>
  readonly question: string
}

const losses = new Set<Loss>()

/** Whether the page may be left: asks the person if something on it is not saved. */
export const mayLeave = (): boolean => {
  const loss = [...losses].find(({ isUnsaved }) => isUnsaved.current === true)
  return loss === undefined || confirm(loss.question)
}

/**
 * Asks before the page is left while something on it is not saved: by a link, by Back, by a reload or by closing the tab. A ref,
 * because what was just saved must not be asked about before the next drawing.
 */
export const useLeaveQuestion = (isUnsaved: RefObject<boolean>, question: string): void => {
  useEffect(() => {
    const loss = { isUnsaved, question }
    // The browser asks in its own words.
    const unload = (event: BeforeUnloadEvent) => {
      if (isUnsaved.current === true) event.preventDefault()
    }
    losses.add(loss)
    addEventListener("beforeunload", unload)
    return () => {
      losses.delete(loss)
      removeEventListener("beforeunload", unload)
    }
  }, [])
}
