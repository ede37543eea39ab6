import type { Block } from "../../layout/Blocks.ts"
import { blocksReader, type BlockDocument } from "../../layout/BlocksReader.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { RtfCharsets } from "./RtfCharsets.ts"
import { type RtfParagraph, RtfPart } from "./RtfPart.ts"
import { type RtfToken, RtfTokens } from "./RtfTokens.ts"

type Place = "text" | "fonts" | "styles" | "marker" | "unseen"

/** The state of a group: inherited from the outer group, and dropped at its end. */
interface Group extends RtfParagraph {
  readonly place: Place
  readonly part: RtfPart
  readonly font: number
  readonly style: number
  readonly hidden: boolean
  /** Number of characters after a `\u` that repeat it for programs without Unicode. */
  readonly substitutes: number
  /** Whether `\*` has just been read: if the next word is unknown, the group is skipped. */
  readonly ignorable: boolean
}

/** Groups that begin with one of these words contain nothing that is printed. */
const unseen = new Set(
  (
    "colortbl info pict nonshppict listpicture filetbl revtbl sp sn sv xe tc tcl rxe " +
    "ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn fldinst"
  ).split(" ")
)
const places: ReadonlyMap<string, Place> = new Map([
  ["fonttbl", "fonts"],
  ["stylesheet", "styles"],
  ["listtext", "marker"],
  ["pntext", "marker"]
])
/** Groups that may be skipped, but contain text of the document. */
const seenAfterStar = new Set(["shpinst", "shptxt"])

const characters: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["line", "\n"],
  ["~", "\u00a0"],
  ["_", "\u2011"],
  ["emdash", "—"],
  ["endash", "–"],
  ["bullet", "•"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
  ["emspace", " "],
  ["enspace", " "],
  ["nestcell", " "]
])

const codePages: ReadonlyMap<string, number> = new Map([
  ["mac", 10_000],
  ["ansi", 1252]
])

/** Deeper nesting of groups is an attack. */
const deepest = 1_000

class RtfDocument {
  readonly #charsets = new RtfCharsets()
  readonly #levels = new Map<number, number>()
  readonly #body = new RtfPart()
  readonly #headers = new RtfPart()
  readonly #footers = new RtfPart()
  readonly #notes = new RtfPart()
  readonly #around: Array<Group> = []
  #group: Group = {
    place: "text",
    part: this.#body,
    font: 0,
    style: 0,
    hidden: false,
    substitutes: 1,
    ignorable: false,
    inTable: false,
    level: undefined,
    depth: 0
  }
  #defaultFont = 0
  /** Bytes of text that are not decoded yet: those of a letter may come in several tokens. */
  #bytes: Array<Uint8Array> = []
  #toSkip = 0

  read(bytes: Uint8Array): ReadonlyArray<Block> {
    for (const token of new RtfTokens(bytes)) {
      if (token.kind === "bytes") this.#takeBytes(token.bytes)
      else {
        this.#decodeBytes()
        this.#take(token)
        if (token.kind === "close" && this.#around.length === 0) return this.#end()
      }
    }
    throw new NotReadable("The RTF document is incomplete.")
  }

  #end(): ReadonlyArray<Block> {
    const parts = [this.#headers, this.#body, this.#notes, this.#footers]
    for (const part of parts) part.end()
    return parts.flatMap(({ blocks }) => blocks)
  }

  #take(token: Exclude<RtfToken, { readonly kind: "bytes" }>): void {
    this.#toSkip = 0
    if (token.kind === "open") {
      this.#around.push(this.#group)
      if (this.#around.length > deepest) throw new NotReadable("The RTF document is nested too deeply.")
    } else if (token.kind === "close") this.#close()
    else if (this.#group.place !== "unseen") this.#control(token.name, token.value)
  }

  #close(): void {
    const { part } = this.#group
    this.#group = this.#around.pop() ?? this.#group
    if (this.#group.part !== part) part.end()
  }

  #takeBytes(bytes: Uint8Array): void {
    const skipped = Math.min(this.#toSkip, bytes.length)
    this.#toSkip -= skipped
    if (skipped < bytes.length && this.#group.place !== "unseen") this.#bytes.push(bytes.subarray(skipped))
  }

  #decodeBytes(): void {
    if (this.#bytes.length === 0) return
    const bytes = this.#bytes.length === 1 ? this.#bytes[0] : Buffer.concat(this.#bytes)
    this.#bytes = []
    if (bytes !== undefined) this.#add(this.#charsets.decode(bytes, this.#group.font))
  }

  #add(text: string): void {
    const { hidden, part, place } = this.#group
    if (hidden) return
    if (place === "text") part.add(text)
    else if (place === "marker") part.addMarker(text)
  }

  #set(change: Partial<Group>): void {
    this.#group = { ...this.#group, ...change }
  }

  #control(name: string, value: number | undefined): void {
    if (name === "*") return this.#set({ ignorable: true })
    if (this.#group.ignorable) {
      this.#set({ ignorable: false })
      if (!seenAfterStar.has(name)) return this.#set({ place: "unseen" })
    }
    const place = unseen.has(name) ? "unseen" : places.get(name)
    if (place !== undefined) return this.#set({ place })
    const character = characters.get(name)
    if (character !== undefined) return this.#add(character)
    if (!this.#takePart(name) && !this.#takeBreak(name)) this.#takeFormat(name, value)
  }

  /** Headers, footers and notes appear in the middle of the body, but are separate parts. */
  #takePart(name: string): boolean {
    const part = /^header[lrf]?$/u.test(name)
      ? this.#headers
      : /^footer[lrf]?$/u.test(name)
        ? this.#footers
        : name === "footnote"
          ? this.#notes
          : undefined
    if (part !== undefined) this.#set({ part, inTable: false, level: undefined })
    return part !== undefined
  }

  #takeBreak(name: string): boolean {
    const { part } = this.#group
    if (["par", "sect", "page", "nestrow", "\n", "\r"].includes(name)) {
      if (this.#group.place === "text") part.endParagraph(this.#paragraph())
    } else if (name === "cell") part.endCell(this.#paragraph())
    else if (name === "row") part.endRow()
    else return false
    return true
  }

  #paragraph(): RtfParagraph {
    const { depth, inTable, level, style } = this.#group
    return { depth, inTable, level: level ?? this.#levels.get(style) }
  }

  #takeFormat(name: string, value: number | undefined): void {
    const isOn = value !== 0
    switch (name) {
      case "u":
        this.#toSkip = this.#group.substitutes
        return this.#add(String.fromCharCode((value ?? 0x3f) & 0xffff))
      case "uc":
        return this.#set({ substitutes: Math.min(8, Math.max(0, value ?? 1)) })
      case "f":
        return this.#set({ font: value ?? 0 })
      case "fcharset":
        if (this.#group.place === "fonts") this.#charsets.define(this.#group.font, value ?? 0)
        return
      case "deff":
        this.#defaultFont = value ?? 0
        return this.#set({ font: this.#defaultFont })
      case "ansicpg":
        this.#charsets.codePage = value ?? 1252
        return
      case "plain":
        return this.#set({ hidden: false, font: this.#defaultFont })
      case "v":
      case "deleted":
        return this.#set({ hidden: isOn })
      case "pard":
        return this.#set({ inTable: false, level: undefined, style: 0, depth: 0 })
      case "intbl":
        return this.#set({ inTable: true })
      case "s":
        return this.#set({ style: value ?? 0 })
      case "ilvl":
        return this.#set({ depth: Math.min(8, Math.max(0, value ?? 0)) })
      case "outlinelevel":
        return this.#setLevel(value ?? 9)
      default:
        this.#charsets.codePage = codePages.get(name) ?? this.#charsets.codePage
    }
  }

  /** Levels count from 0; 9 is that of text. */
  #setLevel(outline: number): void {
    const level = outline >= 0 && outline < 9 ? Math.min(6, outline + 1) : undefined
    if (this.#group.place !== "styles") this.#set({ level })
    else if (level !== undefined) this.#levels.set(this.#group.style, level)
  }
}

const read = (bytes: Uint8Array): BlockDocument => {
  const blocks = new RtfDocument().read(bytes)
  return { pages: [() => ({ blocks })] }
}

/** The reader for Rich Text Format (.rtf): text, headings, lists, tables, headers, footers and notes, on one page. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
