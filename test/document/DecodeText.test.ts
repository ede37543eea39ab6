import { expect, test } from "vitest"
import { decodeText } from "../../src/document/formats/text/DecodeText.ts"

/** Ranges of characters that no text has: controls, except white space, U+001A, U+001B and U+0085, and what is no character. */
const never: ReadonlyArray<readonly [number, number]> = [
  [0x00, 0x08],
  [0x0e, 0x19],
  [0x1c, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xfffe, 0xffff]
]
const isNever = (code: number) => never.some(([first, last]) => code >= first && code <= last)
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff

test("bytes are text if none of their characters is one that no text has", () => {
  const wrong = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => {
    const text = `a word ${String.fromCharCode(code)}\u{1F600}`
    const expected = isNever(code) ? undefined : text
    return !isSurrogate(code) && decodeText(Buffer.from(text)) !== expected
  })
  expect(wrong).toEqual([])
})

test("the same bytes are the same text again, and in another encoding what that says", () => {
  const bytes = Buffer.from("Grüße")
  expect(decodeText(bytes)).toBe("Grüße")
  expect(decodeText(bytes, "windows-1252")).toBe("GrÃ¼ÃŸe")
  expect(decodeText(bytes)).toBe("Grüße")
})
