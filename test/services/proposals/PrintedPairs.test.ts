import { expect, it } from "vitest"
import type { Line } from "../../../src/domain/DocumentIR.ts"
import { typeOfValues } from "../../../src/services/proposals/ProposedField.ts"
import { printedPairs } from "../../../src/services/proposals/PrintedPairs.ts"

/** A line whose parts are columns: two hundred points apart, its words one space apart. */
const lineOf = (text: string): Line => {
  const words = text
    .split(" | ")
    .flatMap((part, column) =>
      part
        .split(" ")
        .map((word, at) => ({ text: word, bbox: { x: 200 * column + 30 * at, y: 0, w: 27, h: 10 } }))
    )
  const bbox = { x: 0, y: 0, w: 500, h: 10 }
  return { lineId: "p1_l1", text, bbox, startChar: 0, endChar: text.length, words }
}

const pairsOf = (text: string) =>
  printedPairs({
    extras: { pageCount: 1 },
    pages: [{ pageNumber: 1, width: 595, height: 842, lines: [lineOf(text)] }]
  }).map(({ certain, label, value }) => [label, value, certain])

it.each([
  ["Policy: 4711", [["Policy", "4711", true]]],
  ["Policy | 4711", [["Policy", "4711", true]]],
  ["Policy 4711", [["Policy", "4711", false]]],
  ["Packing slip # Q/551", [["Packing slip", "Q/551", false]]],
  ["Owner | Maria Fernsby", [["Owner", "Maria Fernsby", false]]],
  ["Owner: | Maria Fernsby", [["Owner", "Maria Fernsby", true]]],
  // Check boxes and blanks are to be filled in by hand.
  ["Received: | ☐ yes ☐ no", []],
  ["Signature: | ________", []],
  ["Checked: | ......", []],
  // The digit belongs to the label.
  ["Address line 2: | Flat 4", [["Address line 2", "Flat 4", true]]],
  ["Address line 2 | Flat 4", [["Address line 2", "Flat 4", true]]],
  // The digit is the value, and what is to its right has nothing to do with it.
  ["Kennel K7 | Hollow Oak", [["Kennel", "K7", false]]],
  [
    "Stay no. S-20418 | Date: 2026-10-02",
    [
      ["Stay no.", "S-20418", false],
      ["Date", "2026-10-02", true]
    ]
  ],
  ["Thank you for your visit", []]
] as const)("the pairs of `%s`", (text, pairs) => {
  expect(pairsOf(text)).toEqual(pairs)
})

it.each([
  [["3", "12", "1250"], "number"],
  [["7", "8"], "integer"],
  [["7210 kg", "980,5 kg"], "number"],
  [["48213", "48377"], "identifier"],
  [["12", "1.204,50"], "money"],
  [["PO-7", "12"], "identifier"]
])("the type of %j is %s", (values, type) => expect(typeOfValues(values)).toBe(type))
