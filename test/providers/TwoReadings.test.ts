import { assert, describe, it } from "@effect/vitest"
import { confidenceOfPaddle } from "../../src/providers/ocr/Confidence.ts"
import { mergeLines } from "../../src/providers/ocr/MergeLines.ts"
import { chooseReading, mergeReadings } from "../../src/providers/ocr/MergeReadings.ts"
import type { OcrWord } from "../../src/providers/ocr/Ocr.ts"
import { languageOf } from "../../src/providers/ocr/PageLanguage.ts"
import { missingLanguage } from "../../src/providers/ocr/LanguageData.ts"

/** The words of a line: ten pixels a character, from left to right. */
const line = (text: string, confidence = 0.9): Array<OcrWord> =>
  [...text.matchAll(/\S+/gu)].map((match) => ({
    text: match[0],
    confidence,
    bbox: { x: 10 * match.index, y: 0, w: 10 * match[0].length, h: 20 }
  }))

const textOf = (words: ReadonlyArray<OcrWord>): string => words.map(({ text }) => text).join(" ")

/** A line that Tesseract doubts. */
const both = (paddle: string, tesseract: string) => ({
  paddle: line(paddle),
  tesseract: line(tesseract, 0.4)
})

describe("two readings of a line", () => {
  it("keep PP-OCR's digits and Tesseract's letters", () => {
    assert.strictEqual(
      textOf(mergeReadings(line("Backerei 52,35"), line("Bäckerei 52.85"))),
      "Bäckerei 52,35"
    )
    assert.strictEqual(textOf(mergeReadings(line("Kaffee groB"), line("Kaffee groß"))), "Kaffee groß")
  })

  it("keep the currency signs that only Tesseract knows", () => {
    assert.strictEqual(textOf(mergeReadings(line("8,70"), line("8,70 €"))), "8,70 €")
    assert.strictEqual(textOf(mergeReadings(line("8,70 C"), line("8,70 €"))), "8,70 €")
    assert.strictEqual(textOf(mergeReadings(line("22.50"), line("£2250"))), "£22.50")
  })

  it("have a currency sign that Tesseract sees on several worn lines, although it doubts each", () => {
    const lines = [both("TOTALE   12,15", "TOTALE €:125719"), both("       3,75", "      €:375")]
    assert.strictEqual(textOf(mergeLines(lines)), "TOTALE € 12,15 € 3,75")
    assert.strictEqual(
      textOf(mergeLines([both("12,15", "125719  €"), both("3,75", "3;5  €")])),
      "12,15 € 3,75 €"
    )
  })

  it("have no currency sign that Tesseract sees once, or where PP-OCR has a word", () => {
    assert.strictEqual(textOf(mergeLines([both("  12,15", " €:125"), both("3,75", "3,75")])), "12,15 3,75")
    const covered = both("EUR 3,75", "€UR 3,75")
    assert.strictEqual(textOf(mergeLines([covered, covered])), "EUR 3,75 EUR 3,75")
    const far = both("               3,75", "€    x         3,75")
    assert.strictEqual(textOf(mergeLines([far, far])), "3,75 3,75")
  })

  it("take no letters that Tesseract doubts", () => {
    assert.strictEqual(textOf(mergeReadings(line("Backerei"), line("Bäckerei", 0.3))), "Backerei")
  })

  it("are Tesseract's where PP-OCR's is none", () => {
    assert.strictEqual(textOf(chooseReading(line("xx", 0.2), line("Gäste", 0.7))), "Gäste")
    assert.strictEqual(textOf(chooseReading([], line("Gäste", 0.7))), "Gäste")
  })
})

describe("confidence on the common scale", () => {
  it("grows with what PP-OCR says and stays below it", () => {
    const said = [0, 0.3, 0.5, 0.8, 0.9, 0.95, 0.99, 1]
    const scaled = said.map(confidenceOfPaddle)
    assert.deepStrictEqual(
      scaled.toSorted((a, b) => a - b),
      scaled
    )
    assert.isTrue(scaled.every((value, i) => value <= (said[i] ?? 0)))
    assert.closeTo(confidenceOfPaddle(0.98), 0.94, 0.001)
  })
})

describe("the language of a page", () => {
  it("is found from few words, accents lost", () => {
    assert.strictEqual(languageOf(["Summe 52,35", "Ruckgeld 7,65", "Vielen Dank fur Ihren Einkauf"]), "deu")
    assert.strictEqual(languageOf(["Sous-total 6,15", "Rendu 3,85", "Merci de votre visite"]), "fra")
    assert.strictEqual(languageOf(["Tarjeta 100,05", "IVA Base Cuota", "Gracias por su visita"]), "spa")
    assert.strictEqual(languageOf(["Contanti 20,00", "Resto 7,85", "Grazie e arrivederci"]), "ita")
    assert.strictEqual(languageOf(["Subtotaal", "Contant Wisselgeld", "Bedankt en tot ziens"]), "nld")
  })

  it("is English where it is in doubt", () => {
    assert.strictEqual(languageOf([]), "eng")
    assert.strictEqual(languageOf(["TOTAL 12.00", "Thank you for your custom", "la"]), "eng")
    assert.strictEqual(languageOf(["The total of the invoice is due", "Restaurant Chez la Rue"]), "eng")
  })

  it("is one of those to choose from", () => {
    assert.strictEqual(languageOf(["Summe Ruckgeld Vielen Dank fur Ihren Einkauf"], ["eng", "fra"]), "eng")
    assert.strictEqual(languageOf([], ["deu", "fra"]), "deu")
  })

  it("is named with its package where it has no data", () => {
    assert.include(missingLanguage("hun"), "Hungarian")
    assert.include(missingLanguage("hun"), "npm install @tesseract.js-data/hun")
  })
})
