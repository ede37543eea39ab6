import { Effect } from "effect"
import { DocumentReader } from "../../document/DocumentReader.ts"
import { longestSide, type PagePicture } from "../../document/scan/PagePicture.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import type { DocumentIR, Page } from "../../domain/DocumentIR.ts"
import { pageText } from "../../domain/LineText.ts"
import { DocumentUnavailable } from "../../providers/documents/OwnDocuments.ts"
import { documentBytes } from "../DocumentBytes.ts"

/** The pages that are shown to a model as pictures: those that could not be read, those that are pictures, or all. */
export type PicturesOf = "unread" | "scanned" | "all"

/** The pages of a document that a model can be shown as pictures, each made when it is wanted. */
export interface PagePictures {
  /** What the picture of each page costs, at most, by the page's number. */
  readonly tokens: ReadonlyMap<number, number>
  /** Makes the picture of one of the pages; undefined, and `problems` says why, where that fails. */
  readonly make: (pageNumber: number) => Effect.Effect<PagePicture | undefined>
  /** Why pages have no picture, by their numbers. */
  readonly problems: ReadonlyMap<number, string>
}

/** Pictures of no page. */
export const noPictures: PagePictures = {
  tokens: new Map(),
  make: () => Effect.succeed(undefined),
  problems: new Map()
}

/** What Anthropic counts, and others no more than: a token for this number of pixels. */
const pixelsPerToken = 750

/** What a page's picture costs in tokens, at most; a page of unknown size counts as a square. */
export const pictureTokens = ({ height, width }: Pick<Page, "width" | "height">): number => {
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  const narrow = short > 0 ? Math.max(1, Math.ceil((longestSide * short) / long)) : longestSide
  return Math.ceil((narrow * longestSide) / pixelsPerToken)
}

/** Blank pages have been read: nothing is on them. */
const isUnread = (page: Page): boolean =>
  page.problem !== undefined || (pageText(page).trim() === "" && page.source !== "text-layer")

const isShown = (which: PicturesOf, page: Page): boolean =>
  which === "all" || isUnread(page) || (which === "scanned" && page.source === "ocr")

/**
 * The pages that a model is to be shown as pictures, of the file that they were read from. The file is only fetched where
 * there are any; it stays open as long as the scope.
 */
export const pagePictures = Effect.fnUntraced(function* (
  { pages }: DocumentIR,
  { file, of: which }: { readonly file: DocumentRef; readonly of: PicturesOf },
  executionId: string
) {
  const wanted = new Map(pages.filter((page) => isShown(which, page)).map((page) => [page.pageNumber, page]))
  if (wanted.size === 0) return noPictures
  const reader = yield* DocumentReader
  const bytes = yield* documentBytes(executionId, file).pipe(
    Effect.catchTag(
      ["UnreadableDocument", "ReaderUnavailable"],
      ({ message }) => new DocumentUnavailable({ message })
    )
  )
  const draw = yield* reader.pictures(bytes, file.mimeType)
  const problems = new Map<number, string>()
  const made: PagePictures = {
    tokens: new Map([...wanted].map(([pageNumber, page]) => [pageNumber, pictureTokens(page)])),
    make: (pageNumber) => {
      const page = wanted.get(pageNumber)
      if (page === undefined) return Effect.succeed(undefined)
      return draw(page).pipe(
        Effect.catch(({ message }) => Effect.sync(() => void problems.set(pageNumber, message)))
      )
    },
    problems
  }
  return made
})
