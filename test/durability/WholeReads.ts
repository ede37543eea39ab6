/** The tables and indexes among big ones that a plan reads from end to end; an index may be read so up to a limit. */
export const wholeReads = (
  plan: ReadonlyArray<string>,
  isBig: (name: string) => boolean
): ReadonlyArray<string> =>
  plan.flatMap((line, index) => {
    const table = /Seq Scan on (\w+)/u.exec(line)?.[1]
    const scanned = /Index (?:Only )?Scan(?: Backward)?(?: using| on) (\w+)/u.exec(line)?.[1]
    const isBounded =
      plan[index + 1]?.includes("Index Cond:") === true || plan.some((other) => other.includes("Limit"))
    const name = table ?? (isBounded ? undefined : scanned)
    return name !== undefined && isBig(name) ? [name] : []
  })
