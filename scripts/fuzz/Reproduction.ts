import type { FuzzRequest } from "./Requests.ts"

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const longest = 2000

/** A line for a shell that sends a request; credentials are named, not shown. */
export const curlLine = (address: string, path: string, request: FuzzRequest): string => {
  const headers = request.headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const authorization =
    request.caller === "none" ? [] : [`-H "authorization: Bearer $${request.caller.toUpperCase()}"`]
  const text = request.body === undefined ? undefined : Buffer.from(request.body).toString()
  const body =
    text === undefined || request.body === undefined
      ? []
      : Buffer.from(text).equals(request.body)
        ? [`--data-binary ${quoted(text.slice(0, longest))}`]
        : [`--data-binary @<(printf %s ${Buffer.from(request.body).toString("base64")} | base64 -d)`]
  return [
    "curl -i --path-as-is",
    `-X ${request.method}`,
    ...authorization,
    ...headers,
    ...body,
    quoted(address + path)
  ].join(" ")
}

const without = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.map((_, left) => items.filter((__, index) => index !== left))

/** Smaller requests that may fail in the same way. */
const smaller = (request: FuzzRequest): ReadonlyArray<FuzzRequest> => {
  const { body, ...bodiless } = request
  return [
    ...(body === undefined ? [] : [bodiless]),
    ...without(request.query).map((query) => Object.assign({}, request, { query })),
    ...without(request.headers).map((headers) => Object.assign({}, request, { headers })),
    ...smallerBodies(body).map((less) => Object.assign({}, request, { body: less }))
  ]
}

const smallerBodies = (body: Uint8Array | undefined): ReadonlyArray<Uint8Array> => {
  if (body === undefined) return []
  const parsed = parsedObject(Buffer.from(body).toString())
  return Object.keys(parsed).map((left) =>
    Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(([name]) => name !== left))))
  )
}

const parsedObject = (text: string): object => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const mostTries = 60

/** The smallest request found that still fails in the same way. */
export const minimize = async (
  request: FuzzRequest,
  fails: (smaller: FuzzRequest) => Promise<boolean>
): Promise<FuzzRequest> => {
  let tries = 0
  let best = request
  for (let found = true; found;) {
    found = false
    for (const candidate of smaller(best)) {
      tries += 1
      if (tries > mostTries) return best
      if (await fails(candidate)) {
        best = candidate
        found = true
        break
      }
    }
  }
  return best
}
