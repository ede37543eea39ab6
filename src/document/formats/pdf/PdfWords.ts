import { withDownwardWords } from "./DownwardWords.ts"
import type { RawWord } from "../FormatReader.ts"

interface CharBox {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Queried once per word: its direction, and whether it is bold. */
interface Style {
  readonly turn: RawWord["turn"]
  readonly bold: boolean
}

/** PDFium's mark for a hyphen at the end of a line that it would join with the next. */
const endHyphens = new Set([0x02, 0xfffe])

/** Two characters are on different lines if they are shifted by this share of their height. */
const otherLine = 0.45

/** Two characters on one line are of one word if the gap between them is smaller than this share of their height. */
const sameWord = 0.15

const setDownwards =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]$/u

/** Letters of a cursive script differ much in height and in how far they reach below the line. */
const cursive = /(?=\p{L})\p{Script=Arabic}$/u

/** Vowels that are drawn after their consonant. */
const spacingVowel = /[\u0e33\u0eb3\p{Mc}]$/u

const toText = (code: number): string => {
  if (endHyphens.has(code)) return "-"
  // UTF-16 surrogates arrive one by one, and form a character when joined.
  const text = code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code)
  return code >= 0xfb00 && code <= 0xfb06 ? text.normalize("NFKC") : text
}

const cursiveFirst = /^(?=\p{L})\p{Script=Arabic}/u

/** Whether a word touches the left of another: nothing is between them, as it would be between words. */
const touches = (left: RawWord, right: RawWord): boolean =>
  Math.abs(right.x - left.x - left.w) < 0.06 * Math.max(left.h, right.h) &&
  Math.min(left.y + left.h, right.y + right.h) > Math.max(left.y, right.y) &&
  cursive.test(right.text) &&
  cursiveFirst.test(left.text)

/**
 * Words of a cursive script whose pieces touch are one: PDFium takes letters for those of two lines where their heights
 * differ much, and the pieces come in either order.
 */
const joined = (words: ReadonlyArray<RawWord>): Array<RawWord> => {
  const found: Array<RawWord> = []
  for (const word of words) {
    const last = found.at(-1)
    const [left, right] = last !== undefined && touches(word, last) ? [word, last] : [last, word]
    if (left === undefined || last === undefined || !touches(left, right)) {
      found.push(word)
      continue
    }
    const y = Math.min(left.y, right.y)
    found[found.length - 1] = {
      ...right,
      text: right.text + left.text,
      x: left.x,
      y,
      w: right.x + right.w - left.x,
      h: Math.max(left.y + left.h, right.y + right.h) - y
    }
  }
  return found
}

/**
 * Joins characters into words. PDFium inserts spaces where it sees a gap; beyond that a word ends where the next
 * character is too far away to belong to it, which happens where two columns are glued.
 */
export class PdfWords {
  readonly #words: Array<RawWord> = []
  #text = ""
  #x0 = 0
  #y0 = 0
  #x1 = 0
  #y1 = 0
  #style: Style = { turn: 0, bold: false }
  #mayEnd = false
  #breaks = false
  #sharesBox = false
  #last: CharBox = { x: 0, y: 0, w: 0, h: 0 }

  /** Whether a character separates words: white space and control characters do, marks for hyphens do not. */
  static separates(code: number): boolean {
    if (endHyphens.has(code)) return false
    return (
      code <= 0x20 ||
      (code >= 0x7f && code <= 0xa0) ||
      (code >= 0x2000 && code <= 0x200b) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x202f ||
      code === 0x205f ||
      code === 0x3000 ||
      code === 0xfeff ||
      code === 0xffff
    )
  }

  /**
   * Adds a character; `style` is only called at the beginning of a word. `sharesBox`: its box is a part of that of the first
   * glyph of its syllable.
   */
  add(code: number, box: CharBox, style: () => Style, sharesBox = false): void {
    const text = toText(code)
    if (this.#text !== "" && (this.#breaks ? !this.#follows(box) : this.#jumps(box, text))) this.end()
    if (this.#text === "") {
      this.#style = style()
      this.#x0 = box.x
      this.#y0 = box.y
      this.#x1 = box.x + box.w
      this.#y1 = box.y + box.h
    } else {
      this.#x0 = Math.min(this.#x0, box.x)
      this.#y0 = Math.min(this.#y0, box.y)
      this.#x1 = Math.max(this.#x1, box.x + box.w)
      this.#y1 = Math.max(this.#y1, box.y + box.h)
    }
    this.#text = this.#isTurned(box, text)
      ? `${this.#text.slice(0, -1)}${text}${this.#text.slice(-1)}`
      : this.#text + text
    this.#last = box
    this.#mayEnd = false
    this.#breaks = false
    this.#sharesBox = sharesBox
  }

  /** Says that the word may end here: the next character tells, by the gap before it. */
  mayEnd(): void {
    this.#mayEnd = true
  }

  /**
   * Says that PDFium sees the end of a line here. Where it takes a page for one that is set from top to bottom (a few narrow-set
   * lines in columns), it sees one after each letter: the word ends only if the next character does not follow on the same line.
   */
  lineEnds(): void {
    this.#breaks = true
  }

  /** Ends the current word. */
  end(): void {
    if (this.#text === "") return
    this.#words.push({
      text: this.#text.toWellFormed(),
      x: this.#x0,
      y: this.#y0,
      w: this.#x1 - this.#x0,
      h: this.#y1 - this.#y0,
      turn: this.#style.turn,
      ...(this.#style.bold ? { bold: true } : {})
    })
    this.#text = ""
  }

  done(): Array<RawWord> {
    this.end()
    const words = this.#words.some(({ text }) => cursive.test(text)) ? joined(this.#words) : this.#words
    return withDownwardWords(words)
  }

  /**
   * Whether a letter is the first of a ligature whose second came before it: PDFium turns the letters of a word from right to
   * left around one by one, and shares the box of a ligature out from left to right.
   */
  #isTurned(box: CharBox, text: string): boolean {
    const last = this.#last
    const isShared = Math.abs(box.w - last.w) < 0.01 && Math.abs(box.h - last.h) < 0.01
    const follows = Math.abs(box.x - (last.x + last.w)) < 0.05 && Math.abs(box.y - last.y) < 0.01
    return this.#text !== "" && isShared && follows && cursive.test(text) && cursive.test(this.#text)
  }

  /** Whether a character is directly after or before the last one, on the same baseline. */
  #follows(box: CharBox): boolean {
    const last = this.#last
    const gap = Math.max(box.x - (last.x + last.w), last.x - (box.x + box.w))
    const size = Math.max(last.h, box.h)
    return (
      this.#style.turn % 2 === 0 &&
      Math.abs(gap) < sameWord * size &&
      Math.abs(box.y + box.h - last.y - last.h) < 0.1 * size
    )
  }

  #jumps(box: CharBox, text: string): boolean {
    const last = this.#last
    if (last.w === 0 || last.h === 0 || box.w === 0 || box.h === 0) return false
    const gapX = Math.max(box.x - (last.x + last.w), last.x - (box.x + box.w))
    const gapY = Math.max(box.y - (last.y + last.h), last.y - (box.y + box.h))
    const upright = this.#style.turn % 2 === 0
    const size = upright ? Math.max(last.h, box.h) : Math.max(last.w, box.w)
    const along = upright ? gapX : gapY
    const across = upright ? gapY : gapX
    if (across > 0.2 * size || this.#turnsAside(box, text)) return true
    // Their box is that of the consonant alone, so the next letter seems to be further away.
    if (this.#sharesBox && spacingVowel.test(this.#text)) return along > 1.2 * last.h
    if (along > (this.#mayEnd ? 0.25 : 0.8) * size) return true
    const joins = along < 0.1 * size && cursive.test(this.#text) && cursive.test(text)
    return !joins && this.#isOnAnotherLine(box, text, upright, size)
  }

  /**
   * Whether a character is on another baseline than the last one: cells that are drawn column by column follow
   * each other without a space. A raised or lowered character shares the top or the bottom of the one before.
   */
  #isOnAnotherLine(box: CharBox, text: string, upright: boolean, size: number): boolean {
    const last = this.#last
    const [near, far] = upright
      ? [box.y - last.y, box.y + box.h - last.y - last.h]
      : [box.x - last.x, box.x + box.w - last.x - last.w]
    return Math.min(Math.abs(near), Math.abs(far)) > otherLine * size && !this.#runsDown(box, text)
  }

  /** Whether a character of another script is below the last one of a column: it begins a word that is turned. */
  #turnsAside(box: CharBox, text: string): boolean {
    const last = this.#last
    const aside = Math.abs(box.x + box.w / 2 - last.x - last.w / 2)
    return (
      setDownwards.test(this.#text) &&
      /\p{L}$/u.test(text) &&
      !setDownwards.test(text) &&
      aside < 0.25 * Math.max(box.w, last.w) &&
      box.y - last.y > 0.5 * last.w
    )
  }

  /** Chinese, Japanese and Korean may be set from top to bottom, one character right below the other. */
  #runsDown(box: CharBox, text: string): boolean {
    const last = this.#last
    const aside = Math.abs(box.x + box.w / 2 - last.x - last.w / 2)
    return (
      aside < 0.25 * Math.max(box.w, last.w) &&
      box.y > last.y &&
      setDownwards.test(this.#text) &&
      setDownwards.test(text)
    )
  }
}
