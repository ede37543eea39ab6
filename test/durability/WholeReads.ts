/**
 * What a plan reads from end to end: tables of these, in their order or in that of one of their indexes, whose names begin as
 * the table's, unless it has a limit.
 */
export const wholeReads = (
  plan: ReadonlyArray<string>,
  tables: ReadonlyArray<string>
): ReadonlyArray<string> =>
  plan.flatMap((line, index) => {
    const [, scan = "", name = ""] =
      /(Seq Scan|(?:Bitmap )?Index (?:Only )?Scan.*) on (\w+)/u.exec(line) ?? []
    const isBounded =
      plan[index + 1]?.includes("Index Cond:") === true || plan.some((other) => other.includes("Limit"))
    return tables.some((table) => name.startsWith(table)) && (scan === "Seq Scan" || !isBounded) ? [name] : []
  })
