import type { Block, BlockPage } from "./Blocks.ts"
import type { AttachedFiles, FormatReader, OpenDocument } from "../formats/FormatReader.ts"
import { layOutBlocks } from "./LayOutBlocks.ts"

/** A document without a layout: its pages, each made on demand. */
export interface BlockDocument {
  readonly pages: ReadonlyArray<() => BlockPage>
  readonly extras?: Readonly<Record<string, unknown>>
  /** Attached files, if the format can have any. */
  readonly attached?: AttachedFiles
}

const noPicture = (): never => {
  throw new Error("The document has no pictures of its pages.")
}

/** Characters of text that cost as much as a printed page. */
const charactersPerPage = 3_000
/** The text beyond which further pages are not counted: they would all be read only to be counted. */
const mostCounted = 6_000_000

const lengthOf = (block: Block): number =>
  block.kind === "table"
    ? block.rows.reduce((sum, row) => row.reduce((size, cell) => size + cell.length, sum), 0)
    : block.text.length

/** The number of printed pages that a document costs as much as, by its text. A page that cannot be read costs nothing more. */
const creditPagesOf = (pages: BlockDocument["pages"]): number => {
  let characters = 0
  for (const page of pages) {
    if (characters > mostCounted) break
    try {
      for (const block of page().blocks) characters += lengthOf(block)
    } catch {
      // Whoever reads it is told.
    }
  }
  return Math.max(pages.length, Math.ceil(characters / charactersPerPage))
}

/** A page that is the whole document is made once: it is counted first and read next. */
const madeOnce = (pages: BlockDocument["pages"]): BlockDocument["pages"] => {
  const [only] = pages
  if (only === undefined || pages.length > 1) return pages
  let made: BlockPage | undefined
  return [() => (made ??= only())]
}

const openDocument = ({ attached, extras, pages }: BlockDocument, printed: boolean): OpenDocument => ({
  pageCount: pages.length,
  ...(printed ? {} : { creditPages: creditPagesOf(pages) }),
  // Users of the boxes should know that they are synthetic.
  extras: { ...extras, layout: "synthetic" },
  page: (index) => {
    const page = pages[index]
    if (page === undefined) throw new Error("The page is missing.")
    return layOutBlocks(page())
  },
  image: noPicture,
  ...(attached === undefined ? {} : { attached }),
  close: () => {}
})

/**
 * A reader for a format without a layout, from a function that reads its bytes into pages of blocks. `printed`: its pages are
 * those of the document, such as slides; otherwise the document costs credits by the size of its text.
 */
export const blocksReader = (
  read: (bytes: Uint8Array) => BlockDocument | Promise<BlockDocument>,
  printed = false
): FormatReader => ({
  open: async (bytes) => {
    const { pages, ...document } = await read(bytes)
    return openDocument({ ...document, pages: madeOnce(pages) }, printed)
  },
  heldMemory: () => 0
})
