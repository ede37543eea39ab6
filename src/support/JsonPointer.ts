/** The JSON Pointer (RFC 6901) of a member of the value at `parent`; the whole value has the pointer `""`. */
export const pointerTo = (parent: string, name: string | number): string =>
  `${parent}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** The names in a JSON Pointer. */
export const namesOfPointer = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))

/** A path as a JSON Pointer. Paths with dots are accepted too: `lineItems.0.amount` is `/lineItems/0/amount`. */
export const pointerOf = (path: string): string =>
  path === "" || path.startsWith("/") ? path : path.split(".").reduce(pointerTo, "")
