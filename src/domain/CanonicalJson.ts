import { Predicate } from "effect"

/**
 * JSON with the keys of every object in order and no white space: two definitions that mean the same have the same text,
 * whatever their files look like.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!Predicate.isObject(value)) return JSON.stringify(value ?? null)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`)
  return `{${fields.join(",")}}`
}
