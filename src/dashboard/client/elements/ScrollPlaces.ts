/** How far down each page in the history of this tab was scrolled, by its index there. */
let places = new Map<number, number>()

let stop = (): void => undefined
let isBack = false

/** Whether the shown page was reached by Back or Forward, and so is not shown from its top. */
export const cameBack = (): boolean => isBack

/** Keeps how far down a page is scrolled before another one is shown. */
export const keepPlace = (index: number): void => {
  stop()
  isBack = false
  places.set(index, scrollY)
}

/** Forgets a page that is no longer in the history. */
export const forgetPlace = (index: number): void => {
  places.delete(index)
}

/** What a person does to scroll; it ends the scrolling by the program. */
const gestures = ["wheel", "touchmove", "pointerdown", "keydown"]

/** Scrolls down as soon as the page is long enough: its lists are loaded after it is shown. */
const scrollDownTo = (top: number): void => {
  stop()
  const observer = new ResizeObserver(() => {
    scrollTo(0, top)
    // Browsers round to pixels of the screen.
    if (scrollY >= top - 1) stop()
  })
  stop = () => {
    observer.disconnect()
    for (const gesture of gestures) removeEventListener(gesture, stop)
    stop = () => undefined
  }
  for (const gesture of gestures) addEventListener(gesture, stop)
  observer.observe(document.body)
}

/** Scrolls a page to where it was left. */
export const restorePlace = (index: number): void => {
  isBack = true
  scrollDownTo(places.get(index) ?? 0)
}

const reloadedName = "docflow:scrolled"

const isPlace = (entry: unknown): entry is [number, number] =>
  Array.isArray(entry) && entry.length === 2 && entry.every((number) => typeof number === "number")

/** Keeps the places through a reload, and while the tab shows something else, such as the API reference. */
export const keepPlaceOnReload = (): void => {
  // A browser may refuse its storage: then the page is shown from its top.
  try {
    const kept = sessionStorage.getItem(reloadedName)
    sessionStorage.removeItem(reloadedName)
    const [address, top, ...others] = JSON.parse(kept ?? "[]")
    places = new Map(others.filter(isPlace))
    if (address === location.href && typeof top === "number") scrollDownTo(top)
    addEventListener("pagehide", () =>
      sessionStorage.setItem(reloadedName, JSON.stringify([location.href, scrollY, ...places]))
    )
  } catch {
    return
  }
}
