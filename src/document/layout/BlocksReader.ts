import type { BlockPage } from "./Blocks.ts"
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

const openDocument = ({ attached, pages, extras }: BlockDocument): OpenDocument => ({
  pageCount: pages.length,
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

/** A reader for a format without a layout, from a function that reads its bytes into pages of blocks. */
export const blocksReader = (
  read: (bytes: Uint8Array) => BlockDocument | Promise<BlockDocument>
): FormatReader => ({
  open: async (bytes) => openDocument(await read(bytes)),
  heldMemory: () => 0
})
