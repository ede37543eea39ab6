import { Effect } from "effect"
import { UnreadableDocument } from "../../domain/Document.ts"
import type { Request } from "./Protocol.ts"
import type { ReaderPool, Source } from "./ReaderPool.ts"
import { ask } from "./ReaderProcess.ts"

/** The number of pages that may each crash a child before no more pictures of the document are made. */
const mostLosses = 2

const givenUp = new UnreadableDocument({
  message: "The page was skipped: other pages of the document crashed the reader or took too long."
})

/** Makes pictures of a document's pages, each within `pageLimit` milliseconds. */
export const pictureAsker = (readers: ReaderPool, source: Source, pageLimit: number) => {
  let losses = 0
  return Effect.fnUntraced(function* <Ask extends "image" | "picture" | "view">(
    request: Extract<Request, { readonly ask: Ask }>
  ) {
    if (losses >= mostLosses) return yield* givenUp
    return yield* readers.use(source, (reader) =>
      Effect.tapErrorTag(ask<Ask>(reader, request, pageLimit), "UnreadableDocument", () =>
        Effect.sync(() => {
          if (!reader.isAlive()) losses++
        })
      )
    )
  })
}
