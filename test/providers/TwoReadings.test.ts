import { assert, describe, it } from "@effect/vitest"
import { confidenceOfPaddle } from "../../src/providers/ocr/paddle/PaddleLines.ts"
import { contradicts, doubtedBy, hasDate, hasFigures, withDigitsOf } from "../../src/providers/ocr/Figures.ts"
import { mergeLines } from "../../src/providers/ocr/MergeLines.ts"
import { chooseReading, mergeReadings } from "../../src/providers/ocr/MergeReadings.ts"
import type { OcrWord } from "../../src/providers/ocr/Ocr.ts"
import { languageOf } from "../../src/providers/ocr/PageLanguage.ts"
import { missingLanguage } from "../../src/providers/ocr/LanguageData.ts"

/** The words of a line: ten pixels a character, from left to right. */
const line = (text: string, confidence = 0.9, wider = 0): Array<OcrWord> =>
  [...text.matchAll(/\S+/gu)].map((match) => ({
    text: match[0],
    confidence,
    bbox: { x: 10 * match.index, y: 0, w: 10 * match[0].length + wider, h: 20 }
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

  it("have letters that PP-OCR takes for any other", () => {
    const [paddle, tesseract] = [
      line("Goethestrafe zaptaty 61 ustugi"),
      line("Goethestraße zapłaty 51 usługi")
    ]
    assert.strictEqual(textOf(mergeReadings(paddle, tesseract)), "Goethestraße zapłaty 61 usługi")
    assert.strictEqual(textOf(mergeReadings(line("Rate"), line("ŁÓŻE"))), "Rate")
  })

  it("have letters that PP-OCR takes for digits or a question mark", () => {
    const [paddle, tesseract] = [line("Fizetend? els6 Nett6 A60"), line("Fizetendő első Nettó A6ó")]
    assert.strictEqual(textOf(mergeReadings(paddle, tesseract)), "Fizetendő első Nettó A60")
  })

  it("have litres, which PP-OCR takes for the figure one and Tesseract for a bar", () => {
    const wide = line("extra 701", 0.9, 20)
    assert.strictEqual(textOf(mergeReadings(wide, line("extra 70 |"))), "extra 70 l")
    assert.strictEqual(textOf(mergeReadings(line("oleico 10 1"), line("oleico 10 |"))), "oleico 10 l")
    assert.strictEqual(textOf(mergeReadings(line("extra 701"), line("extra 701"))), "extra 701")
    assert.strictEqual(textOf(mergeReadings(line("Level 1"), line("Level |"))), "Level 1")
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

describe("two readings of a figure", () => {
  it("contradict each other in one digit or two, and not where one is no number", () => {
    for (const [own, its] of [
      ["23.78", "£23.70"],
      ["04-05-2013", "G4-06-2013"],
      ["11/5/2013", "11/5/2018"]
    ] as const)
      assert.isTrue(contradicts(own, its), `${own} ${its}`)
    for (const [own, its] of [
      ["23.70", "£23.70"],
      ["20/03/2018", "2003/201"],
      ["21/02/18", "21702118"],
      ["52.80", "Bey"],
      ["37.00", "9.00"],
      ["12.345,67", "98.745,61"]
    ] as const)
      assert.isFalse(contradicts(own, its), `${own} ${its}`)
  })

  it("are those of lines with amounts or dates", () => {
    assert.deepStrictEqual(
      [
        line("Total 12.50"),
        line("03/04/2025 17:12"),
        line("Fizetendo 318 135 Ft"),
        line("Tel 030 1234567")
      ].map(hasFigures),
      [true, true, true, false]
    )
    assert.deepStrictEqual([line("Total 12.50"), line("2025-04-03")].map(hasDate), [false, true])
  })

  it("are PP-OCR's where Tesseract reads the page: it takes a zero with a stroke for an 8", () => {
    const words = withDigitsOf(line("Total £23.78", 0.96), line("Total  23.70", 0.9))
    assert.strictEqual(textOf(words), "Total £23.70")
    assert.deepStrictEqual(
      words.map(({ confidence }) => confidence),
      [0.96, 0.9]
    )
    assert.strictEqual(textOf(withDigitsOf(line("Total 23.70"), line("Tctal 23,7C"))), "Total 23.70")
    assert.strictEqual(textOf(withDigitsOf(line("Room 118"), line("Room 119"))), "Room 118")
  })

  it("are percentages, whose sign Tesseract takes for digits", () => {
    const [tesseract, paddle] = [line("27 500 2796 7 425 1996"), line("27 500 27%  7 425 1996")]
    assert.strictEqual(textOf(withDigitsOf(tesseract, paddle)), "27 500 27% 7 425 1996")
  })

  it("cost confidence where PP-OCR reads the page", () => {
    const words = line("Date 11/5/2013", 0.95)
    assert.deepStrictEqual(
      doubtedBy(words, line("Date 11/5/2018")).map(({ confidence }) => confidence),
      [0.95, 0.75]
    )
    assert.deepStrictEqual(doubtedBy(words, line("Date 11/5/2013")), words)
    assert.deepStrictEqual(doubtedBy(words, []), words)
  })
})

describe("confidence on the common scale", () => {
  it("grows with what PP-OCR says and stays below it", () => {
    const said = [0, 0.3, 0.5, 0.8, 0.9, 0.95, 0.99, 1]
    const scaled = said.map((share) => confidenceOfPaddle(share))
    assert.deepStrictEqual(
      scaled.toSorted((a, b) => a - b),
      scaled
    )
    assert.isTrue(scaled.every((value, i) => value <= (said[i] ?? 0)))
    assert.closeTo(confidenceOfPaddle(0.98), 0.94, 0.001)
    // A number is as sure as its weakest digit.
    assert.closeTo(confidenceOfPaddle(0.7, "11/5/2013"), 0.72, 0.001)
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

  it("is found from the words of invoices, where letters that only one of several languages has are lost", () => {
    const danish = [
      "Fakturadato 05-02-2026 Forfaldsdato 28-02-2026",
      "Varenr Tekst Antal Enh Pris Belob",
      "I alt DKK"
    ]
    assert.strictEqual(languageOf(danish), "dan")
    const norwegian = [
      "FAKTURA / INVOICE",
      "Fakturanr. / Invoice no. Forfall / Due",
      "Beskrivelse / Description Sats / Rate"
    ]
    assert.strictEqual(languageOf(norwegian), "nor")
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
