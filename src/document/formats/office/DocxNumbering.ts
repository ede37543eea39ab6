import { type Attributes, attribute, readXml } from "../xml/Xml.ts"

interface Level {
  format: string
  text: string
  start: number
}

const roman = (number: number): string => {
  const signs: ReadonlyArray<readonly [number, string]> = [
    [1000, "m"],
    [900, "cm"],
    [500, "d"],
    [400, "cd"],
    [100, "c"],
    [90, "xc"],
    [50, "l"],
    [40, "xl"],
    [10, "x"],
    [9, "ix"],
    [5, "v"],
    [4, "iv"],
    [1, "i"]
  ]
  let rest = Math.min(Math.max(0, number), 5000)
  let text = ""
  for (const [value, sign] of signs) {
    while (rest >= value) {
      text += sign
      rest -= value
    }
  }
  return text
}

const letters = (number: number): string => {
  let [rest, text] = [number, ""]
  while (rest > 0) {
    rest--
    text = String.fromCharCode(97 + (rest % 26)) + text
    rest = Math.floor(rest / 26)
  }
  return text
}

const written = (number: number, format: string): string => {
  switch (format) {
    case "lowerLetter":
      return letters(number)
    case "upperLetter":
      return letters(number).toUpperCase()
    case "lowerRoman":
      return roman(number)
    case "upperRoman":
      return roman(number).toUpperCase()
    case "decimalZero":
      return String(number).padStart(2, "0")
    default:
      return String(number)
  }
}

/** Counts the items of the lists of a document, as its numbering says. */
export class DocxNumbering {
  readonly #lists = new Map<string, Array<Level>>()
  readonly #counts = new Map<string, Array<number>>()

  constructor(bytes: Uint8Array | undefined) {
    const abstract = new Map<string, Array<Level>>()
    let levels: Array<Level> | undefined
    let level: Level | undefined
    let numId = ""
    const open = (name: string, attributes: Attributes) => {
      const value = attribute(attributes, "val") ?? ""
      if (name === "abstractNum") {
        levels = []
        abstract.set(attribute(attributes, "abstractNumId") ?? "", levels)
      } else if (name === "lvl" && levels !== undefined) {
        level = { format: "decimal", text: "", start: 1 }
        levels[Math.min(8, Number(attribute(attributes, "ilvl") ?? 0) || 0)] = level
      } else if (name === "numFmt" && level !== undefined) level.format = value
      else if (name === "lvlText" && level !== undefined) level.text = value
      else if (name === "start" && level !== undefined) level.start = Number(value) || 0
      else if (name === "num") {
        levels = undefined
        numId = attribute(attributes, "numId") ?? ""
      } else if (name === "abstractNumId") this.#lists.set(numId, abstract.get(value) ?? [])
    }
    const close = (name: string) => {
      if (name === "lvl") level = undefined
    }
    if (bytes !== undefined) readXml(bytes, { open, close })
  }

  /** The marker of the next item of a list; undefined if the numbering has none. */
  next(numId: string, depth: number): string | undefined {
    if (numId === "0") return undefined
    const levels = this.#lists.get(numId) ?? []
    const level = levels[depth]
    if (level === undefined || level.format === "bullet") return "-"
    const counts = this.#counts.get(numId) ?? []
    this.#counts.set(numId, counts)
    counts[depth] = (counts[depth] ?? level.start - 1) + 1
    counts.length = depth + 1
    if (level.format === "none") return undefined
    return level.text.replace(/%([1-9])/gu, (_, digit: string) => {
      const at = Number(digit) - 1
      const other = levels[at]
      return written(counts[at] ?? other?.start ?? 1, other?.format ?? "decimal")
    })
  }
}
