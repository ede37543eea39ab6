import { describe, expect, it } from "vitest"
import { type ColumnLabel, HeadingTrie } from "../../../src/extraction/tables/ColumnNames.ts"
import * as fc from "../../support/FastCheck.ts"

/** The definition, label by label. */
const naming = (heading: string, { folded, sureness }: ColumnLabel): number => {
  if (heading === folded) return sureness
  if (folded.length >= 3 && heading.startsWith(folded)) return 0.75 * sureness
  if (folded.length >= 4 && heading.endsWith(folded)) return 0.7 * sureness
  return folded.length >= 5 && heading.includes(folded) ? 0.5 * sureness : 0
}

const columns = [0, 1, 2]
/** Few letters, so that labels overlap and repeat. */
const letters = (most: number) => fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: most })
const label = fc.record({
  column: fc.constantFrom(...columns),
  folded: letters(7).map((found) => found.join("")),
  sureness: fc.constantFrom(1, 0.97, 0.93)
})

describe("HeadingTrie", () => {
  it("compares a heading with all labels as one by one", () =>
    fc.assert(
      fc.property(fc.array(label, { maxLength: 12 }), letters(14), (labels, found) => {
        const heading = found.join("")
        const expected = columns.map((column) =>
          Math.max(0, ...labels.filter((each) => each.column === column).map((each) => naming(heading, each)))
        )
        expect(new HeadingTrie(labels, columns.length).namings(heading)).toEqual(expected)
      })
    ))
})
