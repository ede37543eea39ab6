import { Predicate } from "effect"

/** The part of a JSON value at a path like `error.details.field` or `flows.0.id`; undefined when it is not there. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (part, name) =>
        Predicate.isObjectOrArray(part) && Object.hasOwn(part, name) ? Reflect.get(part, name) : undefined,
      value
    )

/** The text at a path; fails the test when there is none. */
export const textAt = (value: unknown, path: string): string => {
  const found = at(value, path)
  if (typeof found !== "string") throw new Error(`no text at ${path} of ${JSON.stringify(value)}`)
  return found
}

/** The number at a path; fails the test when there is none. */
export const numberAt = (value: unknown, path: string): number => {
  const found = at(value, path)
  if (typeof found !== "number") throw new Error(`no number at ${path} of ${JSON.stringify(value)}`)
  return found
}

/** The list at a path; fails the test when there is none. */
export const listAt = (value: unknown, path: string): ReadonlyArray<unknown> => {
  const found = at(value, path)
  if (!Array.isArray(found)) throw new Error(`no list at ${path} of ${JSON.stringify(value)}`)
  return found
}

/** The names of an object's members; fails the test when it is none. */
export const namesOf = (value: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(value)) throw new Error(`no object: ${JSON.stringify(value)}`)
  return Object.keys(value)
}
