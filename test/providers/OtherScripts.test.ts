import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hangulWords } from "../../src/providers/ocr/HangulWords.ts"
import { dataFolder } from "../../src/providers/ocr/LanguageData.ts"
import type { OcrWord } from "../../src/providers/ocr/Ocr.ts"
import { joinForeign, scripts } from "../../src/providers/ocr/PageScript.ts"
import { thaiWords } from "../../src/providers/ocr/ThaiWords.ts"
import { line, recognised, textOf } from "./RecognisedPage.ts"

const word = (text: string, x: number, w: number): OcrWord => ({
  text,
  confidence: 0.9,
  bbox: { x, y: 0, w, h: 12 }
})

/** Lines of a page of which PP-OCR reads the figures alone. */
const figures = [[], [], line("4417", 0.97), [], [], line("2,900.00", 0.98), []]

const pages: Readonly<Record<string, ReadonlyArray<string>>> = {
  kor: [
    "청구서",
    "주식회사 한빛전설",
    "번호 4417",
    "해운물산 귀중",
    "평판조명 배선용차단기",
    "합계 2,900.00",
    "입금계좌"
  ],
  ara: [
    "فاتورة ضريبية",
    "شركة النخيل",
    "رقم 4417",
    "العميل فندق",
    "مكيف هواء",
    "المجموع 2,900.00",
    "شكرا لكم"
  ],
  heb: ["חשבונית מס", "נגריית האלון", "מספר 4417", "לכבוד מלון", "שולחן אלון", "לתשלום 2,900.00", "תודה רבה"],
  tha: ["ใบกำกับภาษี", "บริษัทไม้สักทอง", "เลขที่ 4417", "ลูกค้าโรงแรม", "โต๊ะไม้สัก", "รวมเงิน 2,900.00", "ขอบคุณค่ะ"],
  hin: ["कर चालान", "शर्मा ट्रेडर्स", "संख्या 4417", "ग्राहक होटल", "मेज कुर्सी", "कुल 2,900.00", "धन्यवाद"]
}

describe("a page of which PP-OCR reads little but figures", () => {
  for (const [language, lines] of Object.entries(pages))
    it.effect.skipIf(dataFolder(language) === undefined)(`is read in its script: ${language}`, () =>
      Effect.gen(function* () {
        const read = yield* recognised(figures, { [language]: lines.map((text) => line(text)) })
        assert.deepStrictEqual(read.languages, [language])
        assert.include(textOf(read.words), lines[0] ?? "")
        assert.include(textOf(read.words), "2,900.00")
      })
    )

  it.effect("is not of another script where only a logo or two could not be read", () =>
    Effect.gen(function* () {
      const text = line("Thank you for your order and payment", 0.97)
      const lines = [[], ...Array.from({ length: 12 }, () => text), []]
      const read = yield* recognised(lines, { kor: lines.map(() => line("감사합니다")) })
      assert.deepStrictEqual(read.languages, ["eng"])
    })
  )
})

describe("a line in another script", () => {
  const hebrew = scripts.find(({ languages }) => languages.includes("heb"))

  it("has no mixture of letters and digits for a word in which the other engine sees letters of the script", () => {
    assert.isDefined(hebrew)
    if (hebrew === undefined) return
    const join = joinForeign(line("D17Un7 INV-2040"), line("לתשלום מספריםם", 0.6), hebrew)
    assert.strictEqual(textOf(join), "לתשלום INV-2040")
    assert.strictEqual(textOf(joinForeign(line("19.03.2026"), line("בספהופפבג", 0.6), hebrew)), "19.03.2026")
  })
})

describe("a line of Korean", () => {
  it("has its syllables together, apart from the next word, whatever their boxes say", () => {
    const words = [
      ["한", 177, 34],
      ["빛", 186, 9],
      ["전설", 195, 16],
      ["대표자", 250, 26],
      ["오세진", 293, 26]
    ] as const
    assert.strictEqual(
      textOf(hangulWords(words.map(([text, x, w]) => word(text, x, w)))),
      "한빛전설 대표자 오세진"
    )
  })

  it("has the won sign for the backslash before an amount", () => {
    assert.strictEqual(textOf(hangulWords(line("합계 \\2,535,500 C:\\tmp"))), "합계 ₩2,535,500 C:\\tmp")
  })
})

describe("a line of Thai", () => {
  it("has its letters and signs together, apart where a space is, and its vowel am in one sign", () => {
    const words = [
      word("จ", 0, 6),
      word("\u0e4d", 7, 2),
      word("า", 9, 5),
      word("ก", 15, 6),
      word("ั", 20, 3),
      word("ด", 23, 6),
      word("ภาษี", 36, 20),
      word("7%", 60, 12)
    ]
    assert.strictEqual(textOf(thaiWords(words)), "จำกัด ภาษี 7%")
  })
})
