import { Effect } from "effect"
import type { LlmContent } from "../../providers/llm/Llm.ts"
import { type Chunk, pictureHeading, pieceText } from "./Chunks.ts"
import type { PagePictures } from "./PagePictures.ts"

/** The content of a chunk for a model, and its pages. */
export interface Shown {
  readonly content: ReadonlyArray<LlmContent>
  readonly pageNumbers: ReadonlyArray<number>
  /** The pages that it sees as pictures; as nothing else where `text` is false. */
  readonly pictured: ReadonlyArray<{ readonly pageNumber: number; readonly text: boolean }>
}

/** Makes the pictures of a chunk and puts them between its texts. A page whose picture cannot be made is left out. */
export const showChunk = Effect.fnUntraced(function* ({ pieces }: Chunk, pictures: PagePictures) {
  const content: Array<LlmContent> = []
  const pictured = new Set<number>()
  const written = new Set<number>()
  let text: string | undefined
  for (const piece of pieces) {
    if (piece.type === "text") {
      text = text === undefined ? pieceText(piece) : `${text}\n${pieceText(piece)}`
      written.add(piece.pageNumber)
      continue
    }
    const picture = yield* pictures.make(piece.pageNumber)
    if (picture === undefined) continue
    pictured.add(piece.pageNumber)
    const heading = pictureHeading(piece.pageNumber, pictured.size)
    content.push({ type: "text", text: text === undefined ? heading : `${text}\n${heading}` })
    content.push({ type: "image", mimeType: picture.mimeType, bytes: picture.bytes })
    text = undefined
  }
  if (text !== undefined) content.push({ type: "text", text })
  const shown: Shown = {
    content,
    pageNumbers: [...new Set(pieces.map(({ pageNumber }) => pageNumber))].filter(
      (pageNumber) => written.has(pageNumber) || pictured.has(pageNumber)
    ),
    pictured: [...pictured].map((pageNumber) => ({ pageNumber, text: written.has(pageNumber) }))
  }
  return shown
})
