import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { drawSeen, type Seen } from "./DrawSeen.ts"
import { sharedReader } from "../support/SharedReader.ts"

const linesOf = Effect.fnUntraced(function* (texts: ReadonlyArray<Seen>) {
  const reader = yield* DocumentReader
  const bytes = yield* Effect.promise(() => drawSeen(texts))
  const document = yield* reader.read(bytes, { mimeType: "application/pdf" })
  return document.pages.flatMap((page) => page.lines.map((line) => line.text))
})

/** A word as it is seen from left to right, where it runs from the right. */
const rtl = (word: string): string => [...word].toReversed().join("")

/** What a line says, and the words of it as they are seen from left to right. */
const written: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["שלום עולם", [rtl("עולם"), rtl("שלום")]],
  ["السلام عليكم", [rtl("عليكم"), rtl("السلام")]],
  ["סעיף 15 (ב) לחוק", [rtl("לחוק"), `(${rtl("ב")})`, "15", rtl("סעיף")]],
  ["סכום לתשלום: 1,234.50", ["1,234.50", `:${rtl("לתשלום")}`, rtl("סכום")]],
  // Of several Latin words the first is on the left, whatever the line does.
  [
    "התקנה של Windows Server 2022 בכל המחשבים",
    [rtl("המחשבים"), rtl("בכל"), "Windows", "Server", "2022", rtl("של"), rtl("התקנה")]
  ],
  ["בשפת R בלבד", [rtl("בלבד"), "R", rtl("בשפת")]],
  // And of several Hebrew words in a Latin line the first is on the right.
  ["The word שלום עולם means peace", ["The", "word", rtl("עולם"), rtl("שלום"), "means", "peace"]]
]

layer(sharedReader, { excludeTestServices: true })(
  "a line that runs from the right, or in both directions",
  (it) => {
    it.effect("is read as it was written", () =>
      Effect.gen(function* () {
        for (const [said, seen] of written) {
          assert.deepStrictEqual(yield* linesOf([{ text: seen.join(" "), x: 100, y: 100 }]), [said])
        }
      })
    )

    it.effect("is read cell by cell from the right where it is a row of a table", () =>
      Effect.gen(function* () {
        const lines = yield* linesOf([
          { text: rtl("מחשב"), x: 400, y: 100 },
          { text: "Dell", x: 250, y: 100 },
          { text: rtl("שחור"), x: 160, y: 100 },
          { text: rtl("מסך"), x: 60, y: 100 },
          { text: "Acer", x: 320, y: 100 }
        ])
        assert.deepStrictEqual(lines, ["מחשב Acer Dell שחור מסך"])
      })
    )
  }
)
