import { useCallback, useEffect, useState } from "preact/hooks"
import { type Call, messageOf, send } from "./Http.ts"

/** Something that is read from the service. */
export interface Resource<A> {
  readonly data: A | undefined
  readonly problem: string | undefined
  /** Reads it again. */
  readonly reload: () => void
  /** Shows this instead, until it is read again. */
  readonly replace: (data: A) => void
}

interface State<A> {
  readonly path: string | undefined
  readonly data?: A
  readonly problem?: string
}

/** The delay before a failed request is sent again, in milliseconds. */
const retryAfter = 5_000

/**
 * Loads a resource, and reloads it after as many milliseconds as `again` says; pauses while the page is hidden. Nothing is
 * loaded without a request.
 */
export const useResource = <A>(
  wanted: Call<A> | undefined,
  again: (data: A) => number | undefined = () => undefined
): Resource<A> => {
  const path = wanted?.url
  const [state, setState] = useState<State<A>>({ path })
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound((last) => last + 1), [])

  useEffect(() => {
    const asked = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (wait: number | undefined) => {
      if (wait === undefined) return
      timer = setTimeout(() => {
        if (!document.hidden) return reload()
        document.addEventListener("visibilitychange", reload, { once: true, signal: asked.signal })
      }, wait)
    }
    const ask = async () => {
      if (wanted === undefined) return
      try {
        const data = await send(wanted, { signal: asked.signal })
        setState({ path, data })
        later(again(data))
      } catch (failure) {
        if (asked.signal.aborted) return
        setState((last) => ({ ...(last.path === path ? last : { path }), problem: messageOf(failure) }))
        later(retryAfter)
      }
    }
    ask()
    return () => {
      asked.abort()
      clearTimeout(timer)
    }
  }, [path, round])

  // The resource of another address is not shown while this one is loading.
  const own: State<A> = state.path === path ? state : { path }
  return { data: own.data, problem: own.problem, reload, replace: (data) => setState({ path, data }) }
}
