import { Result } from "effect"

type Inserted = string | number | boolean

/** Longer addresses are refused by many servers. */
const longest = 8_000

const place = /\{([^{}]*)\}/gu

/** The names of the places in a path. */
export const placeholdersOf = (url: string): ReadonlyArray<string> => [
  ...new Set([...url.matchAll(place)].map(([, name = ""]) => name))
]

/**
 * Puts values into an address: each fills exactly its place, whatever it holds. Fails with what is wrong with a value,
 * without the value itself.
 */
export const fillAddress = (
  url: string,
  path: { readonly [name: string]: Inserted },
  query: { readonly [name: string]: Inserted | null }
): Result.Result<string, string> => {
  // `.` and `..` would be taken for steps in the path even when they are escaped.
  const wrong = placeholdersOf(url).find((name) => /^\.{0,2}$/u.test(String(path[name] ?? "").trim()))
  if (wrong !== undefined) return Result.fail(`the value of {${wrong}} is empty or only dots`)
  const filled = url.replace(place, (_, name: string) => escape(path[name] ?? ""))
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [`${escape(name)}=${escape(value)}`]
  )
  const whole = parts.length === 0 ? filled : `${filled}?${parts.join("&")}`
  return whole.length > longest
    ? Result.fail(`the address is longer than ${longest} characters`)
    : Result.succeed(whole)
}

const escape = (value: Inserted): string => encodeURIComponent(String(value).toWellFormed())
