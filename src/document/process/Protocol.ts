import type { Attachment } from "../../domain/Attachment.ts"
import type { EmbeddedInvoice } from "../../domain/EmbeddedInvoice.ts"
import { isAnswerAmong } from "../../sandbox/ChildMessages.ts"
import type { CompactPage } from "./CompactPage.ts"
import type { PagePicture, PageView } from "../scan/PagePicture.ts"
import type { ScanImage, Turns } from "../scan/ScanImage.ts"

/** What the parent asks of a child, one question at a time. Pages count from 0. */
export type Request =
  /** `first`: of a document with up to so many pages, the first is read at once: the next question must be about it. */
  | { readonly ask: "open"; readonly bytes: Uint8Array; readonly mimeType?: string; readonly first?: number }
  /** `attachments`: those are requested as well. */
  | { readonly ask: "page"; readonly index: number; readonly attachments?: boolean }
  | { readonly ask: "image"; readonly index: number; readonly dpi: number; readonly turns: Turns }
  /** The page for a model, rendered at no more than `dpi` and then reduced. */
  | { readonly ask: "picture"; readonly index: number; readonly dpi: number; readonly turns: Turns }
  /** The page for people, in colour; `side` is its longest side in pixels. */
  | { readonly ask: "view"; readonly index: number; readonly side: number; readonly turns: Turns }
  | { readonly ask: "attachments" }
  | { readonly ask: "attachment"; readonly index: number }
  /** A file inside the document, as it is. */
  | { readonly ask: "file"; readonly index: number }

/** Tells an idle child to close its document. It has no answer. */
export interface Forget {
  readonly ask: "forget"
}

/** What the child answers. */
export type Response = Answers & {
  /** The child holds so much memory that it should be replaced. */
  readonly tired?: boolean
}

type Answers =
  /** Sent once, unasked, when the child has started. */
  | { readonly answer: "ready" }
  | {
      readonly answer: "opened"
      readonly mimeType: string
      readonly pageCount: number
      readonly creditPages?: number
      readonly declaredPageCount?: number
      readonly extras?: Readonly<Record<string, unknown>>
      /** Whether the document may contain files, which can then be requested. */
      readonly attachable?: boolean
    }
  /** With `attachments` if they were requested and could be listed, as in the answer of that name. */
  | {
      readonly answer: "page"
      readonly page: CompactPage
      readonly attachments?: ReadonlyArray<Attachment>
    }
  | { readonly answer: "image"; readonly image: ScanImage }
  | { readonly answer: "picture"; readonly picture: PagePicture }
  | { readonly answer: "view"; readonly view: PageView }
  /** The files inside the document, not decompressed; the index of a file is its index here. */
  | { readonly answer: "attachments"; readonly attachments: ReadonlyArray<Attachment> }
  /** A file inside the document: its true size, and its invoice, or why it contains none. */
  | {
      readonly answer: "attachment"
      readonly size: number
      readonly invoice?: EmbeddedInvoice
      readonly problem?: string
    }
  | { readonly answer: "file"; readonly bytes: Uint8Array }
  /** The document (or this page of it) cannot be read; `message` may be shown. */
  | { readonly answer: "unreadable"; readonly message: string }
  /** The system refused what the child needs, such as a file; that says nothing about the document. */
  | { readonly answer: "hindered"; readonly code: string }
  /** The reader's memory is in an unknown state: the child must not be used any more. */
  | { readonly answer: "crashed" }

export type Answer = Response["answer"]
export type ResponseTo<A extends Answer> = Extract<Response, { readonly answer: A }>

/** The answer that each question has when all goes well. */
export const answerTo = {
  open: "opened",
  page: "page",
  image: "image",
  picture: "picture",
  view: "view",
  attachments: "attachments",
  attachment: "attachment",
  file: "file"
} as const
export type AnswerTo = typeof answerTo

/** Whether a message of a child is an answer to a question. */
export const isResponse = isAnswerAmong<Response>([
  ...Object.values(answerTo),
  "unreadable",
  "hindered",
  "crashed"
])
