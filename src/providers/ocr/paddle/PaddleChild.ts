import { detectLines } from "./DetectLines.ts"
import { type GrayImage, pyramidOf } from "./GrayImage.ts"
import { wordsOfLine } from "./LineWords.ts"
import { runInBackground } from "../../../sandbox/BackgroundPriority.ts"
import { sendToParent } from "../../../sandbox/ChildMessages.ts"
import { loadNetworks, type Networks } from "./Networks.ts"
import type { PaddleRequest, PaddleResponse } from "./PaddleProtocol.ts"
import { readLines } from "./RecogniseLines.ts"
import { stripOf } from "./LineStrip.ts"
import type { TextBox } from "./TextBox.ts"

/**
 * The program of a child process that finds and reads lines with PP-OCRv4. A process, not a thread: ending a thread in
 * the middle of an inference aborts the whole process.
 */

let picture: ReadonlyArray<GrayImage> = []
let boxes: ReadonlyArray<TextBox> = []

const chosen = (lines: ReadonlyArray<number>): ReadonlyArray<TextBox> =>
  lines.map((line) => {
    const box = boxes[line]
    if (box === undefined) throw new Error(`The picture has no line ${line}.`)
    return box
  })

const respond = async (networks: Networks, request: PaddleRequest): Promise<PaddleResponse> => {
  switch (request.ask) {
    case "find":
      // The results of the networks are outside V8's heap, which rarely collects them by itself: 50 MB a page.
      globalThis.gc?.()
      picture = pyramidOf(request.image)
      boxes = await detectLines(networks.detection, picture)
      return { answer: "found", boxes }
    case "cut":
      return { answer: "cut", strips: chosen(request.lines).map((box) => stripOf(picture, box)) }
    case "read": {
      const lines = await readLines(networks, picture, chosen(request.lines))
      return { answer: "read", lines: lines.map(wordsOfLine) }
    }
  }
}

const send = (response: PaddleResponse): Promise<void> => sendToParent(response)

const failed = (error: unknown): PaddleResponse => ({
  answer: "failed",
  message: error instanceof Error ? error.message : "It threw a value that is not an error."
})

process.on("disconnect", () => process.exit(0))
loadNetworks().then(
  (networks) => {
    runInBackground()
    process.on("message", (request: PaddleRequest) => {
      void respond(networks, request).catch(failed).then(send)
    })
    return send({ answer: "ready" })
  },
  async (error: unknown) => {
    await send(failed(error))
    process.exit(1)
  }
)
