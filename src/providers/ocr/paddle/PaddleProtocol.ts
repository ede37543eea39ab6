import { isAnswerAmong } from "../../../sandbox/ChildMessages.ts"
import type { OcrWord } from "../Ocr.ts"
import type { GrayImage } from "./GrayImage.ts"
import type { TextBox } from "./TextBox.ts"

/** What the parent asks of the child, one question at a time. Lines count from 0, in the order in which they were found. */
export type PaddleRequest =
  /** Find the lines of a picture, which becomes the current one. */
  | { readonly ask: "find"; readonly image: GrayImage }
  /** Straighten lines of the current picture, each into its own picture. */
  | { readonly ask: "cut"; readonly lines: ReadonlyArray<number> }
  /** Read lines of the current picture. */
  | { readonly ask: "read"; readonly lines: ReadonlyArray<number> }

/** What the child answers. */
export type PaddleResponse =
  /** Sent once, unasked, when the networks are loaded. */
  | { readonly answer: "ready" }
  | { readonly answer: "found"; readonly boxes: ReadonlyArray<TextBox> }
  | { readonly answer: "cut"; readonly strips: ReadonlyArray<GrayImage> }
  /** The words of each line, with the confidence of the network. */
  | { readonly answer: "read"; readonly lines: ReadonlyArray<ReadonlyArray<OcrWord>> }
  | { readonly answer: "failed"; readonly message: string }

export type PaddleResponseTo<A extends PaddleResponse["answer"]> = Extract<
  PaddleResponse,
  { readonly answer: A }
>

/** The answer that each question has when all goes well. */
export const paddleAnswerTo = { find: "found", cut: "cut", read: "read" } as const
export type PaddleAnswerTo = typeof paddleAnswerTo

/** Whether a message of the child is an answer. */
export const isPaddleResponse = isAnswerAmong<PaddleResponse>([
  "ready",
  ...Object.values(paddleAnswerTo),
  "failed"
])
