import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { joinJapanese } from "../../src/providers/ocr/JapanesePage.ts"
import { dataFolder } from "../../src/providers/ocr/LanguageData.ts"
import type { OcrWord } from "../../src/providers/ocr/Ocr.ts"
import { languageOf } from "../../src/providers/ocr/PageLanguage.ts"
import { joinForeign, scripts } from "../../src/providers/ocr/PageScript.ts"
import { line, recognised, textOf } from "./RecognisedPage.ts"

const withData = dataFolder("ell") !== undefined && dataFolder("ukr") !== undefined

describe.skipIf(!withData)("a page in another script", () => {
  it.effect("is read in the language of the script in which its words make sense", () =>
    Effect.gen(function* () {
      const { languages, words } = yield* recognised(
        [
          line("TIMOAOTIO NAPOXHE", 0.6),
          line("neppypa@n noootnra", 0.5),
          line("Etjora ouvtpnon 600,00", 0.6),
          line("Mnpwtéo moo6 744,00", 0.7)
        ],
        {
          ell: [
            line("ΤΙΜΟΛΟΓΙΟ ΠΑΡΟΧΗΣ"),
            line("Περιγραφή ποσότητα"),
            line("Ετήσια συντήρηση 600,0ο"),
            line("Πληρωτέο ποσό 744,00", 0.85)
          ]
        }
      )
      assert.deepStrictEqual(languages, ["ell"])
      assert.include(textOf(words), "ΤΙΜΟΛΟΓΙΟ ΠΑΡΟΧΗΣ Περιγραφή ποσότητα Ετήσια συντήρηση")
    })
  )

  it.effect("is read in the language of its words if several use the script", () =>
    Effect.gen(function* () {
      const doubted = line("Paxyhok daryra ocrayarbnnk kinkicrb cyma", 0.5)
      const lines = [line("Рахунок від 8 квітня"), line("Постачальник ТОВ кількість ціна сума всього")]
      const { languages } = yield* recognised([doubted, doubted], { bul: lines, ukr: lines })
      assert.deepStrictEqual(languages, ["ukr"])
    })
  )

  it.effect("is not one that PP-OCR reads, or that makes no sense in another script either", () =>
    Effect.gen(function* () {
      const sure = line("Thank you for your order and payment")
      const read = yield* recognised([sure, sure], { ell: [line("Τηανκ γου φορ"), line("Τηανκ γου φορ")] })
      assert.deepStrictEqual(read.languages, ["eng"])
      const noise = line("rnnu oie aouu riii oue eoa", 0.4)
      assert.deepStrictEqual((yield* recognised([noise, noise], {})).languages, ["eng"])
    })
  )
})

/** The words of a line of Japanese, with one space for each sign: twenty pixels a sign, ten a digit or letter. */
const japanese = (text: string, confidence = 0.9, from = 0): Array<OcrWord> => {
  const words: Array<OcrWord> = []
  let x = from
  for (const part of text.split(/(\s+)/u)) {
    const w = [...part].reduce((sum, sign) => sum + (/[ -~]/u.test(sign) ? 11 : 20), 0)
    // A bar parts words with nothing between them.
    for (const word of part.trim() === "" ? [] : part.split("|")) {
      const width = [...word].reduce((sum, sign) => sum + (/[ -~]/u.test(sign) ? 11 : 20), 0)
      words.push({ text: word, confidence, bbox: { x, y: 0, w: width, h: 24 } })
      x += width
    }
    if (part.trim() === "") x += w
  }
  return words
}

describe("a line of Japanese", () => {
  it("has no spaces but those between labels, values and columns", () => {
    const words = japanese("請求|書|番号 K-202602-077    株|式|会社|みどり")
    assert.strictEqual(textOf(joinJapanese([], words)), "請求書番号 K-202602-077 株式会社みどり")
    const dates = japanese("お|支払|期限|令|和|8|年|3|月|31|日     発行日|・|2025/05/31")
    assert.strictEqual(textOf(joinJapanese([], dates)), "お支払期限 令和8年3月31日 発行日・ 2025/05/31")
  })

  it("has PP-OCR's numbers, and its words where Tesseract makes no sense of them", () => {
    const paddle = [japanese("￥946,000月", 0.97), japanese("1式", 0.97, 300), japanese("金额", 0.9, 600)]
    const tesseract = [japanese("Y940,0   円", 0.6), japanese("5", 0.06, 300), japanese("金額", 0.9, 600)]
    assert.strictEqual(textOf(joinJapanese(paddle.flat(), tesseract.flat())), "￥946,000円 1式 金額")
  })
})

describe.skipIf(dataFolder("jpn") === undefined)("a page that PP-OCR reads as Chinese", () => {
  it.effect("is Japanese where Tesseract is sure of kana, and not where it is sure of none", () =>
    Effect.gen(function* () {
      const paddle = [line("下記 求申上", 0.98), line("手数料 负担", 0.98)]
      const read = yield* recognised(paddle, {
        jpn: [japanese("下記|の|と|おり|ご|請求"), japanese("手数料|は|ご|負担|ください")]
      })
      assert.deepStrictEqual(read.languages, ["jpn"])
      assert.strictEqual(textOf(read.words), "下記のとおりご請求 手数料はご負担ください")
      const chinese = yield* recognised(paddle, { jpn: [line("下記 求申上"), line("手数料 负担")] })
      assert.deepStrictEqual(chinese.languages, ["eng"])
    })
  )
})

describe("the two readings of a line in another script", () => {
  const [greek, cyrillic] = scripts

  it("keep the letters of one and the numbers and currency signs of the other", () => {
    assert.isDefined(greek)
    const paddle = line("@NA    24%    204,00 €", 0.93)
    const join = joinForeign(
      paddle,
      line("ΦΠΑ    2494   204,0ο ε", 0.7),
      greek ?? { languages: [], letter: /x/u }
    )
    assert.strictEqual(textOf(join), "ΦΠΑ 24% 204,00 €")
  })

  it("keep words of the script that the other engine takes for digits among letters", () => {
    const script = cyrillic ?? { languages: [], letter: /x/u }
    const join = (paddle: string, tesseract: string) =>
      textOf(joinForeign(line(paddle, 0.95), line(tesseract, 0.7), script))
    assert.strictEqual(join("Cpok 3a 13.02.2025", "Срок за 13.02.2025"), "Срок за 13.02.2025")
    assert.strictEqual(join("Pa30M 5000,00", "Разом 5ООО,ОО"), "Разом 5000,00")
    assert.strictEqual(join("BG204455667", "ВС204455667"), "BG204455667")
  })

  it("keep words that Tesseract is not sure of, as doubted ones", () => {
    if (greek === undefined) return
    const words = joinForeign([], [...line("κυκλοφορητή", 0), ...line("εεε", 0)], greek)
    assert.deepStrictEqual(
      words.map(({ confidence }) => confidence),
      [0.5, 0]
    )
  })

  it("have units behind numbers in Latin letters", () => {
    const script = greek ?? { languages: [], letter: /x/u }
    const join = (paddle: string, tesseract: string, confidence = 0.95) =>
      textOf(joinForeign(line(paddle, confidence), line(tesseract, 0.9), script))
    assert.strictEqual(join("Aaoi 500 ml", "Λάδι 500 τη!"), "Λάδι 500 ml")
    assert.strictEqual(join("Aaoi 5L", "Λάδι δι"), "Λάδι 5L")
    assert.strictEqual(join("Aaoi 5 kg", "Λάδι 5 Κα", 0.7), "Λάδι 5 Κα")
    // No number is before it: it is a word of the script in look-alikes.
    assert.strictEqual(join("Aaoi kg 3", "Λάδι κα 3"), "Λάδι κα 3")
  })

  it("have the numero sign, which the data lacks, and no accents of ancient Greek", () => {
    assert.isDefined(cyrillic)
    if (cyrillic === undefined || greek === undefined) return
    assert.strictEqual(textOf(joinForeign([], line("Рахунок Ме 77"), cyrillic)), "Рахунок № 77")
    assert.strictEqual(textOf(joinForeign([], line("Ме Назва"), cyrillic)), "Ме Назва")
    assert.strictEqual(textOf(joinForeign([], line("Ἠμερομηνία Ἐκπτ."), greek)), "Ημερομηνία Εκπτ.")
  })
})

describe("the language of a page in Cyrillic", () => {
  it("is found from its words", () => {
    const among = ["bul", "ukr", "rus"]
    assert.strictEqual(languageOf(["Рахунок від 08 квітня", "Всього з ПДВ"], among), "ukr")
    assert.strictEqual(languageOf(["Счет на оплату", "Итого без НДС"], among), "rus")
    assert.strictEqual(languageOf(["Фактура", "Данъчна основа", "Сума за плащане"], among), "bul")
  })
})
