import { type FieldEvidence, sureFrom } from "../src/domain/Evidence.ts"

/** A field of a document: what was found, and whether it is right. */
export interface FieldResult {
  readonly file: string
  readonly field: string
  readonly right: boolean
  readonly evidence: FieldEvidence | undefined
  readonly truth: unknown
}

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(3))

const isSure = ({ evidence }: FieldResult): boolean => (evidence?.confidence ?? 0) >= sureFrom

/** How often a right value has more confidence than a wrong one: 1 ranks perfectly, 0.5 says nothing. */
const ranking = (results: ReadonlyArray<FieldResult>): string => {
  const found = results.filter(({ evidence }) => (evidence?.confidence ?? 0) > 0)
  const [right, wrong] = [found.filter((result) => result.right), found.filter((result) => !result.right)]
  let above = 0
  for (const a of right)
    for (const b of wrong) {
      const gap = (a.evidence?.confidence ?? 0) - (b.evidence?.confidence ?? 0)
      above += gap > 0 ? 1 : gap === 0 ? 0.5 : 0
    }
  return share(above, right.length * wrong.length)
}

const line = (name: string, results: ReadonlyArray<FieldResult>): string => {
  const right = results.filter((result) => result.right).length
  const sure = results.filter(isSure)
  const wrong = sure.filter((result) => !result.right).length
  return (
    `${name.padEnd(16)} ${share(right, results.length)} (${right}/${results.length})`.padEnd(36) +
    `sure ${share(sure.length, results.length)}, wrong among them ${share(wrong, sure.length)} (${wrong}/${sure.length})` +
    `  ranking ${ranking(results)}`
  )
}

/** Prints how many values of each field are right, and how many of those claimed with confidence are wrong. */
export const report = (
  results: ReadonlyArray<FieldResult>,
  options: { readonly errors: boolean; readonly by?: (result: FieldResult) => string }
): void => {
  for (const [field, group] of Map.groupBy(results, (result) => result.field)) console.log(line(field, group))
  const plain = results.filter((result) => result.field !== "lineItems")
  console.log(line("all but tables", plain))
  const { by } = options
  if (by !== undefined)
    for (const [name, group] of Map.groupBy(results, by)) {
      const right = group.filter((result) => result.right).length
      if (right < group.length)
        console.log(`  ${name.padEnd(16)} ${share(right, group.length)} (${right}/${group.length})`)
    }
  if (!options.errors) return
  for (const { file, field, truth, evidence } of results.filter((result) => !result.right)) {
    const { value, confidence, text } = evidence ?? { value: null, confidence: 0, text: undefined }
    console.log(
      `${file} ${field}: wanted ${JSON.stringify(truth)}, got ${JSON.stringify(value)} (${confidence}) from ${JSON.stringify(text)}`
    )
  }
}
