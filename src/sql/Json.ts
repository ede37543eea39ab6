import type { SqlClient } from "effect/sql"

/**
 * A value as JSON text that PostgreSQL accepts in every JSON type: U+0000 is removed, and unpaired surrogates become
 * U+FFFD.
 */
export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value)
  // Hardly any text has an escape of this kind, and looking for its beginning is fast.
  return text.includes("\\u") && suspicious.test(text)
    ? JSON.stringify(value, (_key, part: unknown) => clean(part))
    : text
}

const suspicious = /\\u(?:0000|d[89a-f])/u

const clean = (part: unknown): unknown => (typeof part === "string" ? cleanText(part) : part)

/** A string that PostgreSQL accepts. */
export const cleanText = (text: string): string => text.replaceAll("\u0000", "").toWellFormed()

/**
 * A value as a parameter for a column of type json (which keeps the order of members). It is sent as text, so that no
 * driver encodes it again.
 */
export const json = (sql: SqlClient.SqlClient, value: unknown) =>
  value === undefined || value === null ? sql`null` : sql`${jsonText(value)}::text::json`
