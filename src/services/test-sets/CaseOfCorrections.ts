import { stringify } from "yaml"
import type { OutputCorrections } from "../../domain/OutputCorrections.ts"
import { parseOutputPath, valueAt } from "./OutputPath.ts"

/** A case of a test set, from an execution that a person has corrected. */
export interface CorrectedCase {
  readonly flowId: string
  readonly executionId: string
  /** The name of the document, if it was sent with one. */
  readonly filename: string | undefined
  readonly corrections: Pick<OutputCorrections, "values" | "confirmed" | "output">
}

const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~")

/** Converts a JSON Pointer into a path of test sets, such as `lineItems[0].amount`; undefined if that is impossible. */
const testPath = (pointer: string): string | undefined => {
  const parts = pointer.split("/").slice(1).map(unescaped)
  // These characters would point to another folder.
  if (parts.some((part) => part === "" || /[.[\]]/u.test(part))) return undefined
  const written = parts.map((part) => (/^\d+$/u.test(part) ? `[${part}]` : `.${part}`)).join("")
  return written.replace(/^\./u, "")
}

const ways = ["is", "anyOf", "contains", "like"]

/** The expectation for a value; an object that looks like a way to compare is marked as a value. */
const expectation = (value: unknown): unknown =>
  typeof value === "object" && value !== null && ways.some((way) => Object.hasOwn(value, way))
    ? { is: value }
    : value

/**
 * The corrected and confirmed values of an execution as a test set that `docflow test` reads; undefined if there are
 * none. The document itself is not included: the set names the file, which must be put next to it.
 */
export const testSetOf = ({
  corrections: { confirmed, output, values },
  executionId,
  filename,
  flowId
}: CorrectedCase): string | undefined => {
  const expected = [
    ...values,
    ...confirmed.map(({ path }) => ({
      path,
      value: valueAt(output, parseOutputPath(testPath(path) ?? "") ?? [])
    }))
  ].flatMap(({ path, value }) => {
    const name = testPath(path)
    return name === undefined ? [] : [[name, expectation(value ?? null)] as const]
  })
  if (expected.length === 0) return undefined
  const one = {
    name: executionId,
    document: filename ?? `${executionId}.pdf`,
    expect: Object.fromEntries(expected)
  }
  return stringify({ tests: 1, flow: flowId, cases: [one] })
}
