import { useEffect, useRef } from "preact/hooks"
import type { Session } from "../../SessionGroup.ts"
import { signedOutEvent } from "../elements/Http.ts"
import { forgetEdits } from "./KeptEdits.ts"
import { type Resource, useResource } from "../elements/UseResource.ts"

const channelName = "docflow:session"
/** What a tab tells the others. */
const began = "signed in"
const ended = "signed out"

/** The session of this browser, which its tabs share: a change in one of them is noticed in all. */
export const useSession = (): Resource<Session> => {
  const { data, problem, reload, replace } = useResource<Session>("/session")
  const channel = useRef<BroadcastChannel>(undefined)
  const latest = useRef(data)
  latest.current = data
  useEffect(() => {
    const signedOut = () => {
      // The page that is shown must not be used any more, whatever the service says next.
      if (latest.current !== undefined) replace({ ...latest.current, signedIn: false })
      reload()
    }
    // A sign-in at an OpenID provider leads through other pages, which tell no tab.
    const seen = () => document.hidden || reload()
    const others = new BroadcastChannel(channelName)
    channel.current = others
    others.addEventListener("message", ({ data: told }) => {
      if (told !== ended) return reload()
      forgetEdits()
      signedOut()
    })
    addEventListener(signedOutEvent, signedOut)
    document.addEventListener("visibilitychange", seen)
    return () => {
      others.close()
      removeEventListener(signedOutEvent, signedOut)
      document.removeEventListener("visibilitychange", seen)
    }
  }, [])
  return {
    data,
    problem,
    reload,
    replace: (session) => {
      // Whoever signs out leaves nothing to the next person, in no tab; a session that is over is taken up again.
      if (!session.signedIn) forgetEdits()
      replace(session)
      channel.current?.postMessage(session.signedIn ? began : ended)
    }
  }
}
