/** A row of the security table: what an attacker tries, and the tests that show what becomes of it. */
export interface Row {
  readonly attack: string
  /** A file below `test/`, and strings that it contains: names of tests or of their cases. */
  readonly tested: Readonly<Record<string, ReadonlyArray<string>>>
}
