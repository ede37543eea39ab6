/** The service refused a request: its status and what it said. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Dispatched on `window` when an answer says that nobody is signed in any more. */
export const signedOutEvent = "docflow:signed-out"

interface Envelope {
  readonly error?: { readonly message?: string }
}

const send = async <A>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<A> => {
  const response = await fetch(`/dashboard/api${path}`, {
    method,
    // Another site cannot send this header, so the service knows that the request comes from here.
    headers: {
      "x-docflow-dashboard": "1",
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal })
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    throw new Refused(0, "The service does not answer. Is it running?")
  })
  if (response.ok) return response.json()
  const { error }: Envelope = await response.json().catch(() => ({}))
  if (response.status === 401 && path !== "/session") dispatchEvent(new Event(signedOutEvent))
  throw new Refused(response.status, error?.message ?? `The service answered with status ${response.status}`)
}

/** Reads something. */
export const read = <A>(path: string, signal?: AbortSignal): Promise<A> =>
  send("GET", path, undefined, signal)

/** Makes or does something. */
export const post = <A>(path: string, body?: unknown): Promise<A> => send("POST", path, body)

/** Replaces something. */
export const put = <A>(path: string, body: unknown): Promise<A> => send("PUT", path, body)

/** Removes something. */
export const remove = <A>(path: string): Promise<A> => send("DELETE", path)

/** What to tell the person about a failure. */
export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure)
