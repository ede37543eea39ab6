import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { documentText } from "../../src/domain/DocumentIR.ts"
import { sharedReader } from "../support/SharedReader.ts"

const read = Effect.fnUntraced(function* (rtf: string) {
  const reader = yield* DocumentReader
  const document = yield* reader.read(Buffer.from(rtf, "latin1"), { mimeType: "" })
  return {
    text: documentText(document),
    tables: document.pages
      .flatMap((page) => page.tables ?? [])
      .map(({ rows }) => rows.map((row) => row.map((cell) => cell.text)))
  }
})

const head =
  "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fswiss\\fcharset0 Arial;}{\\f1\\fnil\\fcharset204 Arial CYR;}" +
  "{\\f2\\fnil\\fcharset128 MS Gothic;}{\\f3\\fnil\\fcharset2 Symbol;}}{\\colortbl;\\red1\\green2\\blue3;}" +
  "{\\stylesheet{\\s0 Normal;}{\\s1\\ql\\outlinelevel0 heading 1;}{\\*\\cs10 gone;}}" +
  "{\\*\\generator gone}{\\info{\\title gone}}\r\n"
const whole = (body: string) => `${head}${body}}\0`

const row = (...cells: ReadonlyArray<string>) =>
  `\\trowd\\cellx1000\\cellx2000\\cellx3000 ${cells.map((cell) => `${cell}\\cell `).join("")}\\row `

layer(sharedReader, { excludeTestServices: true })("RTF", (it) => {
  it.effect("has its text in every encoding that it may be written in", () =>
    Effect.gen(function* () {
      const { text } = yield* read(
        whole(
          "\\pard Caf\\'e9 \\u8364? 12\\'2c50 {\\uc2\\u20320\\'c4\\'e3\\u22909\\'ba\\'c3} \\u-10179?\\u-8704?\\par " +
            "{\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2}\\par{\\f2\\'90\\'bf\\'8b\\'81}\\par " +
            "1\\~200\\emdash 3\\tab\\{4\\}\\line\r\n5\\par"
        )
      )
      for (const part of ["Café € 12,50 你好 😀", "Привет", "請求", "1 200—3 {4}", "5"]) {
        assert.include(text.replaceAll("\u00a0", " "), part)
      }
    })
  )

  it.effect("has headings, lists, headers, notes and text boxes, and nothing that it does not show", () =>
    Effect.gen(function* () {
      const { text } = yield* read(
        whole(
          "{\\header\\pard The header\\par}{\\footer\\pard IBAN DE02\\par}\\pard\\s1 Invoice{\\footnote\\pard A note}\\par" +
            "\\pard{\\listtext\\f3\\'b7\\tab}\\ilvl0 one\\par{\\pntext 2.\\tab}two\\par" +
            "\\pard See {\\field{\\*\\fldinst HYPERLINK gone}{\\fldrslt the page}}{\\v gone}{\\pict\\bin4 }}}}}\\par" +
            "{\\shp{\\*\\shpinst{\\sp{\\sn gone}{\\sv gone}}{\\shptxt\\pard In a box\\par}}}{\\*\\unknown gone}" +
            "{\\object{\\*\\objdata 00ff}{\\result\\pard A chart\\par}}"
        )
      )
      const parts = [
        "The header",
        "Invoice",
        "- one",
        "2. two",
        "See the page",
        "In a box",
        "A chart",
        "A note",
        "IBAN DE02"
      ]
      assert.deepStrictEqual(
        parts.map((part) => text.includes(part)),
        parts.map(() => true)
      )
      assert.isBelow(text.indexOf("The header"), text.indexOf("Invoice"))
      assert.notInclude(text, "gone")
    })
  )

  it.effect("has its tables, also where a paragraph does not say that it is in one", () =>
    Effect.gen(function* () {
      const { tables, text } = yield* read(
        whole(
          `\\pard before\\par\\pard\\intbl ${row("Item", "Qty", "Sum")}${row("Paper\\par white", "2", "12.50")}\\pard after\\par` +
            row("a", "b", "c").repeat(2)
        )
      )
      assert.deepStrictEqual(tables[0], [
        ["Item", "Qty", "Sum"],
        ["Paper white", "2", "12.50"]
      ])
      assert.strictEqual(tables.length, 2)
      assert.isBelow(text.indexOf("12.50"), text.indexOf("after"))
    })
  )

  it.effect("is refused where it breaks off or is made to harm, and read where it is only odd", () =>
    Effect.gen(function* () {
      const reader = yield* DocumentReader
      const broken = [
        head,
        `${head}\\pard half a`,
        `{\\rtf1${"{".repeat(100_000)}`,
        "{\\rtf1\\bin99999999999 x}"
      ]
      for (const rtf of broken) {
        const refused = yield* Effect.flip(reader.read(Buffer.from(rtf), { mimeType: "" }))
        assert.match(refused.message, /incomplete|nested too deeply/u)
      }
      assert.include((yield* read("{\\rtf1\\u99999999?\\f-3\\uc-5 odd\\'zz}")).text, "odd")
      const large = `{\\rtf1 ${"\\pard\\plain\\f1\\'e9 x\\par{\\b y}".repeat(10_000)}}`
      assert.include((yield* read(large)).text, "é x")
    })
  )
})
