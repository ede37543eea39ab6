import { stringify } from "yaml"
import type { OutputCorrections } from "../../domain/OutputCorrections.ts"
import { parseOutputPath, valueAt } from "./OutputPath.ts"

/** What a test set says of an execution that a person has corrected. */
export interface CorrectedCase {
  readonly flowId: string
  readonly executionId: string
  /** The name of the document, if it was sent with one. */
  readonly filename: string | undefined
  readonly corrections: Pick<OutputCorrections, "values" | "confirmed" | "output">
}

const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~")

/** The path of a JSON Pointer as test sets write it, `lineItems[0].amount`; undefined where they cannot name it. */
const testPath = (pointer: string): string | undefined => {
  const parts = pointer.split("/").slice(1).map(unescaped)
  // These characters would lead elsewhere.
  if (parts.some((part) => part === "" || /[.[\]]/u.test(part))) return undefined
  const written = parts.map((part) => (/^\d+$/u.test(part) ? `[${part}]` : `.${part}`)).join("")
  return written.replace(/^\./u, "")
}

const ways = ["is", "anyOf", "contains", "like"]

/** An object that looks like a way to compare is meant as a value. */
const expectation = (value: unknown): unknown =>
  typeof value === "object" && value !== null && ways.some((way) => Object.hasOwn(value, way))
    ? { is: value }
    : value

/**
 * The corrected and confirmed values of an execution as a test set that `docflow test` reads; undefined where there are
 * none. The document itself is not in it: the set names the file, which is to be put next to it.
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
