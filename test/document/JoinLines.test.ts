import { assert, describe, it } from "@effect/vitest"
import { lineJoiner } from "../../src/document/layout/MarkdownOfPage.ts"

/** What two lines become, on a page that holds some others. */
const joined = (before: string, line: string, ...others: ReadonlyArray<string>): string =>
  lineJoiner([before, line, ...others])(before, line)

describe("two lines of a paragraph", () => {
  it("are joined with a space", () => {
    assert.strictEqual(joined("Paid in", "full"), "Paid in full")
    assert.strictEqual(joined("A dash –", "like this"), "A dash – like this")
    assert.strictEqual(joined("10 -", "less than that"), "10 - less than that")
  })

  it("lose the hyphen of a word that was parted", () => {
    assert.strictEqual(joined("this docu-", "ment, signed"), "this document, signed")
    assert.strictEqual(joined("eine Online-Doku-", "mentation"), "eine Online-Dokumentation")
    assert.strictEqual(joined("Ver\u00ad", "Trag"), "VerTrag")
    assert.strictEqual(joined("la factu\u2010", "ration"), "la facturation")
  })

  it("keep the hyphen of a compound", () => {
    assert.strictEqual(joined("by e-", "mail"), "by e-mail")
    assert.strictEqual(joined("state-of-the-", "art"), "state-of-the-art")
    assert.strictEqual(joined("a self-", "made man"), "a self-made man")
    assert.strictEqual(joined("Schleswig-", "Holstein"), "Schleswig-Holstein")
    assert.strictEqual(joined("during COVID-", "19"), "during COVID-19")
    assert.strictEqual(joined("see www.some-", "where.org"), "see www.some-where.org")
  })

  it("keep the space after a hyphen that stands for a word left out", () => {
    assert.strictEqual(joined("Ein-", "und Ausgang"), "Ein- und Ausgang")
    assert.strictEqual(joined("pre-", "and post-war"), "pre- and post-war")
  })

  it("are joined as the word is written elsewhere on the page", () => {
    assert.strictEqual(joined("a dual-", "encoder", "one dual-encoder more"), "a dual-encoder")
    assert.strictEqual(joined("a Dual-", "encoder", "one dualencoder more"), "a Dualencoder")
  })
})
