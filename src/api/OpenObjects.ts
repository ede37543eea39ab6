import { Predicate } from "effect"

/**
 * Says in an OpenAPI document what holds of every object: a field that is not known is ignored in a request, and answers may
 * get further fields. Effect describes every object as closed, whatever the server does.
 */
export const openObjects = (document: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(document)
      .filter(([name, part]) => name !== "additionalProperties" || part !== false)
      .map(([name, part]) => [name, openPart(part)])
  )

const openPart = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(openPart)
  return Predicate.isObject(part) ? openObjects(part) : part
}
