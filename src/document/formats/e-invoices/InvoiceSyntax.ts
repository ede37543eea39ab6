import { type Path, parsePath } from "../xml/XmlSelect.ts"

/** How a value is written: dates in several forms, numbers with a decimal point. */
export type ValueKind = "text" | "date" | "number"

/** The path of a business term in a syntax. */
export interface TermPath {
  readonly term: string
  readonly kind: ValueKind
  readonly path: Path
}

/** The paths of the terms of EN 16931 in a syntax. */
export interface InvoiceSyntax {
  readonly header: ReadonlyArray<TermPath>
  readonly lines: Path
  /** Paths relative to a line. */
  readonly line: ReadonlyArray<TermPath>
  /** Whether a line is a heading or note that is not part of any sum. */
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
