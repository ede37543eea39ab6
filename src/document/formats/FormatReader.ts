import type { Attachment } from "../../domain/Attachment.ts"
import type { Table } from "../../domain/DocumentIR.ts"

/** A word as a reader saw it: its box in points from the displayed page's top left, and which way it runs. */
export interface RawWord {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  /** Quarter turns clockwise from upright, as displayed. */
  readonly turn: 0 | 1 | 2 | 3
  /** 0–1, where the word was recognised in a picture. */
  readonly confidence?: number
  /** Its letters' size in points, and whether they are bold, where the reader knows. */
  readonly size?: number
  readonly bold?: boolean
}

/** A line drawn along an axis, or the edge of a filled box: from `from` to `to` at `at`, in points. */
export interface Ruling {
  readonly axis: "horizontal" | "vertical"
  readonly at: number
  readonly from: number
  readonly to: number
}

/** A page as a reader saw it, before its words are put into lines. Sizes in points, as displayed. */
export interface RawPage {
  readonly width: number
  readonly height: number
  readonly words: ReadonlyArray<RawWord>
  /** Something is drawn on the page, though it may not be text. */
  readonly drawn: boolean
  /** The words in lines, where the format itself says how they follow each other. */
  readonly lines?: ReadonlyArray<ReadonlyArray<RawWord>>
  /** The tables, where the format itself has tables; else they are looked for. */
  readonly tables?: ReadonlyArray<Table>
  /** The page as Markdown, where the format knows it better than the places of its words tell. */
  readonly markdown?: string
  /** Lines that are drawn on the page; tables are looked for between them. */
  readonly rulings?: ReadonlyArray<Ruling>
}

/** A picture of a page: 8-bit gray, row by row without padding. */
export interface PageImage {
  readonly width: number
  readonly height: number
  readonly dpi: number
  readonly pixels: Uint8Array
}

/** A page as people see it: 8 bits a channel, row by row without padding. */
export interface ColourImage {
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3 | 4
  readonly pixels: Uint8Array
}

/** The files inside a document, and the bytes of each where it is no larger than `most`; else only its true size. */
export interface AttachedFiles {
  readonly list: () => ReadonlyArray<Attachment>
  readonly read: (index: number, most: number) => { readonly size: number; readonly bytes?: Uint8Array }
}

/** A document that a reader has opened. Pages count from 0; a page that cannot be read throws. */
export interface OpenDocument {
  readonly pageCount: number
  /** What the document itself claims, where that was not true. */
  readonly declaredPageCount?: number
  /** What else is known of the document: goes into the `extras` of the intermediate form. */
  readonly extras?: Readonly<Record<string, unknown>>
  readonly page: (index: number) => RawPage | Promise<RawPage>
  /** The page as a picture, at about the given resolution: documents that are pictures give their own. */
  readonly image: (index: number, dpi: number) => PageImage | Promise<PageImage>
  /** The page in colour, its longest side about `side` pixels; without it, `image` is shown. */
  readonly colours?: (index: number, side: number) => ColourImage | Promise<ColourImage>
  /** Files inside, where the format can have any. */
  readonly attached?: AttachedFiles
  readonly close: () => void
}

/** Thrown by a reader, inside the child process, with a message that a caller may read. */
export class NotReadable extends Error {}

/**
 * Reads one format, inside a child process: it may use a lot of memory, hang or crash.
 * `open` throws NotReadable where the bytes are not such a document.
 */
export interface FormatReader {
  readonly open: (bytes: Uint8Array) => OpenDocument | Promise<OpenDocument>
  /** Bytes of memory that stay in use after a document was closed: past a limit, the child is replaced. */
  readonly heldMemory: () => number
}
