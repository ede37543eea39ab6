import { useContext } from "preact/hooks"
import { CurrentSession } from "./CurrentSession.ts"

const prefix = "docflow:edit:"

/** A browser may refuse its storage, or have no space left: then nothing is kept, and editing goes on. */
const attempt = <A>(action: () => A): A | undefined => {
  try {
    return action()
  } catch {
    return undefined
  }
}

/**
 * The name under which the person's edits of something are kept, such as a flow and its version. Others who sign in here do not
 * get them.
 */
export const useEditName = (): ((...edited: ReadonlyArray<string>) => string) => {
  const person = useContext(CurrentSession)?.name ?? null
  return (...edited) => prefix + JSON.stringify([person, ...edited])
}

/** What was edited and not saved in this tab, also before a reload or the end of the session. */
export const keptEdit = (name: string): string | undefined =>
  attempt(() => sessionStorage.getItem(name)) ?? undefined

/** Keeps an edit until it is saved or discarded, or the tab is closed. */
export const keepEdit = (name: string, edited: string): void => {
  attempt(() => sessionStorage.setItem(name, edited))
}

/** Forgets an edit, because it was saved or discarded. */
export const forgetEdit = (name: string): void => {
  attempt(() => sessionStorage.removeItem(name))
}

/** Forgets every edit, because the person signs out. */
export const forgetEdits = (): void => {
  attempt(() => {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) forgetEdit(name)
  })
}
