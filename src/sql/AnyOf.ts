import type { SqlClient } from "effect/sql"

/** `any(…)` of strings, for `column = any(…)`: one parameter and one statement, however many there are. */
export const anyOf = (sql: SqlClient.SqlClient, values: Iterable<string>) =>
  sql`any(array(select json_array_elements_text(${JSON.stringify([...values])}::text::json)))`
