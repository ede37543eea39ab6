import type { HttpApiGroup } from "effect/http-api"
import type { Api } from "../../../api/Api.ts"
import type { DashboardApi } from "../../DashboardApi.ts"

type EndpointsOf<A> = A extends { readonly groups: infer Groups }
  ? HttpApiGroup.Endpoints<Groups[keyof Groups]>
  : never
type Endpoint = EndpointsOf<typeof Api> | EndpointsOf<typeof DashboardApi>
/** Every endpoint of the contracts, by its method and path. */
type Endpoints = { [E in Endpoint as `${E["method"]} ${E["path"]}`]: E }
type Values<S> = [S] extends [never] ? object : S extends { readonly Type: infer A } ? A : never
type Body<S> = [S] extends [never] ? object : { readonly body: Values<S> }
type Given<E extends Endpoint> = Values<E["~Params"]> & Values<E["~Query"]> & Body<E["~Payload"]>

/** What an endpoint answers. */
export type Answer<Name extends keyof Endpoints> = Values<Endpoints[Name]["~Success"]>

/** A request, and the type of its answer. */
export interface Call<out A> {
  readonly method: string
  readonly url: string
  readonly body: unknown
  readonly answer?: A
}

/** The path under which the dashboard's service is found; empty: the root. */
export const base = globalThis.document?.documentElement.dataset["base"] ?? ""

/** A request to an endpoint of the contracts, with the values of its path and query, and its body. */
export const call = <Name extends keyof Endpoints>(
  name: Name,
  given: Given<Endpoints[Name]>
): Call<Answer<Name>> => {
  const [method = "", template = ""] = name.split(" ")
  const query = new URLSearchParams()
  let [url, body]: [string, unknown] = [template, undefined]
  for (const [key, value] of Object.entries(given)) {
    const inPath = url.replace(`:${key}`, encodeURIComponent(String(value)))
    if (key === "body") body = value
    else if (inPath === url && value !== undefined) query.set(key, String(value))
    else url = inPath
  }
  return { method, url: base + (query.size === 0 ? url : `${url}?${query}`), body }
}

/** The service refused a request: its status and what it said. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Dispatched on `window` when an answer says that the session has ended. */
export const signedOutEvent = "docflow:signed-out"

interface Envelope {
  readonly error?: { readonly message?: string }
}

interface Options {
  readonly signal?: AbortSignal
  /** Whom a run is for: the organization that pays, and the environment. */
  readonly payer?: { readonly organizationId: string; readonly environment: string }
}

/** Sends a request. */
export const send = async <A>(
  { body, method, url }: Call<A>,
  { payer, signal }: Options = {}
): Promise<A> => {
  const response = await fetch(url, {
    method,
    // Another site cannot send this header, so the service knows that the request comes from here.
    headers: {
      "x-docflow-dashboard": "1",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(payer === undefined
        ? {}
        : {
            "x-docflow-organization": payer.organizationId,
            "x-docflow-environment": payer.environment
          })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal })
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    throw new Refused(0, "The service does not answer. Is it running?")
  })
  if (response.ok) return response.json()
  const { error }: Envelope = await response.json().catch(() => ({}))
  if (response.status === 401 && url !== `${base}/dashboard/api/session`)
    dispatchEvent(new Event(signedOutEvent))
  throw new Refused(response.status, error?.message ?? `The service answered with status ${response.status}`)
}

/** Sends a request to an endpoint of the contracts. */
export const ask = <Name extends keyof Endpoints>(
  name: Name,
  given: Given<Endpoints[Name]>,
  options?: Options
): Promise<Answer<Name>> => send(call(name, given), options)

/** The message of a failure, for the person. */
export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure)
