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
}

/** A page as a reader saw it, before its words are put into lines. Sizes in points, as displayed. */
export interface RawPage {
  readonly width: number
  readonly height: number
  readonly words: ReadonlyArray<RawWord>
  /** Something is drawn on the page, though it may not be text. */
  readonly drawn: boolean
}

/** A picture of a page: 8-bit gray, row by row without padding. */
export interface PageImage {
  readonly width: number
  readonly height: number
  readonly dpi: number
  readonly pixels: Uint8Array
}

/** A document that a reader has opened. Pages count from 0; a page that cannot be read throws. */
export interface OpenDocument {
  readonly pageCount: number
  /** What the document itself claims, where that was not true. */
  readonly declaredPageCount?: number
  readonly page: (index: number) => RawPage
  readonly image: (index: number, dpi: number) => PageImage
  readonly close: () => void
}

/** Thrown by a reader, inside the child process, with a message that a caller may read. */
export class NotReadable extends Error {}

/**
 * Reads one format, inside a child process: it may use a lot of memory, hang or crash.
 * `open` throws NotReadable where the bytes are not such a document.
 */
export interface FormatReader {
  readonly open: (bytes: Uint8Array) => OpenDocument
  /** Bytes of memory that stay in use after a document was closed: past a limit, the child is replaced. */
  readonly heldMemory: () => number
}
