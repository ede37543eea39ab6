import { type Path, parsePath } from "./XmlSelect.ts"

/** How a value is written: dates in several forms, numbers with a decimal point. */
export type ValueKind = "text" | "date" | "number"

/** Where a syntax holds a business term. */
export interface TermPath {
  readonly term: string
  readonly kind: ValueKind
  readonly path: Path
}

/** Where a syntax holds what EN 16931 knows. */
export interface InvoiceSyntax {
  readonly header: ReadonlyArray<TermPath>
  readonly lines: Path
  /** Paths from a line on. */
  readonly line: ReadonlyArray<TermPath>
  /** Lines that are headings or notes and add to no sum. */
  readonly isIgnored: Path
}

const kinds: Readonly<Record<string, ValueKind>> = { d: "date", n: "number" }

/** Reads a table of terms: each row a number, `d` for dates and `n` for numbers, and a path; `$name` is put in. */
export const termPaths = (
  table: string,
  parts: Readonly<Record<string, string>> = {}
): ReadonlyArray<TermPath> =>
  table
    .trim()
    .split("\n")
    .map((row) => {
      const [, number = "", kind = "", path = ""] = /^\s*(\d+)([dn]?)\s+(\S.*)$/u.exec(row) ?? []
      const full = path.replace(/\$(\w+)/gu, (_, name: string) => parts[name] ?? name)
      return { term: `BT-${number}`, kind: kinds[kind] ?? "text", path: parsePath(full) }
    })
