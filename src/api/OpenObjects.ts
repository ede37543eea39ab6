import { Predicate } from "effect"

/**
 * Makes every object of an OpenAPI document open: unknown fields of requests are ignored, and responses may get further
 * fields. Effect describes every object as closed, whatever the server does.
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
