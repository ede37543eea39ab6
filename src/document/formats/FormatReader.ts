import type { Attachment } from "../../domain/Attachment.ts"
import type { Table } from "../../domain/DocumentIR.ts"

/** A word as found by a reader: its box in points from the displayed page's top left corner, and its direction. */
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
  /** The size of its letters in points, and whether they are bold, if the reader knows. */
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

/** A page as found by a reader, before its words are arranged in lines. Sizes in points, as displayed. */
export interface RawPage {
  readonly width: number
  readonly height: number
  readonly words: ReadonlyArray<RawWord>
  /** Whether anything is drawn on the page, text or not. */
  readonly drawn: boolean
  /** The words in lines, if the format itself defines their order. */
  readonly lines?: ReadonlyArray<ReadonlyArray<RawWord>>
  /** The tables, if the format itself has tables; otherwise they are detected. */
  readonly tables?: ReadonlyArray<Table>
  /** The page as Markdown, if the format knows it better than the positions of its words show. */
  readonly markdown?: string
  /** Lines drawn on the page, between which tables are detected. */
  readonly rulings?: ReadonlyArray<Ruling>
}

/** A picture of a page: 8-bit gray, row by row without padding. */
export interface PageImage {
  readonly width: number
  readonly height: number
  readonly dpi: number
  readonly pixels: Uint8Array
}

/** A page in colour, as people see it: 8 bits a channel, row by row without padding. */
export interface ColourImage {
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3 | 4
  readonly pixels: Uint8Array
}

/** The files inside a document, with the bytes of each that is no larger than `most`; otherwise only its true size. */
export interface AttachedFiles {
  readonly list: () => ReadonlyArray<Attachment>
  readonly read: (index: number, most: number) => { readonly size: number; readonly bytes?: Uint8Array }
}

/** A document that a reader has opened. Pages count from 0; a page that cannot be read throws. */
export interface OpenDocument {
  readonly pageCount: number
  /** The number of printed pages that the document costs as much as, if it has none. */
  readonly creditPages?: number
  /** The number of pages that the document claims, if it is wrong. */
  readonly declaredPageCount?: number
  /** Further facts about the document, for the `extras` of the documentIR. */
  readonly extras?: Readonly<Record<string, unknown>>
  readonly page: (index: number) => RawPage | Promise<RawPage>
  /** The page as a picture, at about the given resolution; documents that are pictures keep their own. */
  readonly image: (index: number, dpi: number) => PageImage | Promise<PageImage>
  /** The page in colour, its longest side about `side` pixels; if omitted, `image` is shown. */
  readonly colours?: (index: number, side: number) => ColourImage | Promise<ColourImage>
  /** Attached files, if the format can have any. */
  readonly attached?: AttachedFiles
  readonly close: () => void
}

/** Thrown by a reader, inside the child process, with a message that a caller may read. */
export class NotReadable extends Error {}

/**
 * Reads one format, inside a child process: it may use a lot of memory, hang or crash. `open` throws NotReadable if the
 * bytes are not such a document.
 */
export interface FormatReader {
  readonly open: (bytes: Uint8Array) => OpenDocument | Promise<OpenDocument>
  /** Bytes of memory that stay in use after a document is closed; past a limit, the child is replaced. */
  readonly heldMemory: () => number
}
