import { type CompactPage, compactPage } from "./CompactPage.ts"
import { attachedFile, attachedInvoice } from "../formats/e-invoices/AttachedInvoice.ts"
import { cannotRead, canonicalType, detectType, formats } from "../formats/Formats.ts"
import { type FormatReader, NotReadable, type OpenDocument } from "../formats/FormatReader.ts"
import type { Forget, Request, Response } from "./Protocol.ts"
import { runInBackground } from "../../sandbox/BackgroundPriority.ts"
import { sendToParent } from "../../sandbox/ChildMessages.ts"
import { defined } from "../../support/Defined.ts"

/**
 * The program of a child process: reads documents that its parent sends, one at a time. It knows only what it is sent;
 * if it hangs, crashes or runs out of memory, the parent kills it and starts another.
 */

/** WebAssembly never returns memory. */
const tooMuchMemory = 256 * 1024 * 1024

const isTired = (): boolean => (opened?.reader.heldMemory() ?? 0) > tooMuchMemory

/** The system refused what a reader needs, whatever the document contains. */
class Hindered extends Error {
  readonly code: string

  constructor(cause: unknown) {
    super("The system refused what a reader needs", { cause })
    this.code = codeOf(cause) ?? "not loaded"
  }
}

/** The code of an error of the system, such as `EMFILE`; undefined for any other error. */
const codeOf = (error: unknown): string | undefined => {
  if (error instanceof Hindered) return error.code
  const isOfSystem = error instanceof Error && "syscall" in error && "code" in error
  return isOfSystem ? String(error.code) : undefined
}

/** Loads a part of docflow or a library: a failure has nothing to do with the document. */
const loaded = <A>(module: Promise<A>): Promise<A> =>
  module.catch((error: unknown) => Promise.reject(new Hindered(error)))

const readers = new Map<string, Promise<FormatReader>>()
let opened: { readonly reader: FormatReader; readonly document: OpenDocument } | undefined
/** The first page of the open document, once it is being read: mostly before it is asked for. */
let first: Promise<CompactPage> | undefined
/** Why nothing more can be read here, if that was not told yet. */
let failed: unknown

const close = (): void => {
  opened?.document.close()
  opened = undefined
  first = undefined
}

const mismatch = (declared: string, detected: string): string =>
  `The document is declared as ${declared}, but its bytes are ${detected}.`

const open = async (bytes: Uint8Array, declared: string | undefined): Promise<Response> => {
  close()
  if (bytes.length === 0) throw new NotReadable("The document is empty.")
  const mimeType = await detectType(bytes, declared)
  if (mimeType === undefined) throw new NotReadable("The bytes are not of any known document type.")
  if (declared !== undefined && canonicalType(declared) !== mimeType) {
    throw new NotReadable(mismatch(declared, mimeType))
  }
  const format = formats.find((format) => format.mimeType === mimeType)
  if (format === undefined) throw new NotReadable(cannotRead(mimeType))
  const loading = readers.get(mimeType) ?? loaded(format.load())
  readers.set(mimeType, loading)
  const reader = await loading
  const document = await reader.open(bytes)
  opened = { reader, document }
  const { creditPages, pageCount, declaredPageCount, extras } = document
  if (pageCount < 1) throw new NotReadable("The document has no pages.")
  return {
    answer: "opened",
    mimeType,
    pageCount,
    ...defined({ creditPages, declaredPageCount, extras, attachable: document.attached && true })
  }
}

const viewOf = async (
  document: OpenDocument,
  { index, side, turns }: Extract<Request, { readonly ask: "view" }>
): Promise<Response> => {
  const { encodeView, grayDpi } = await loaded(import("../scan/EncodeView.ts"))
  const image =
    document.colours === undefined
      ? { ...(await document.image(index, grayDpi)), channels: 1 as const }
      : await document.colours(index, side)
  return { answer: "view", view: await encodeView(image, turns, side) }
}

const readPage = async (document: OpenDocument, index: number): Promise<CompactPage> =>
  compactPage(await document.page(index))

const pageOf = async (
  document: OpenDocument,
  { attachments, index }: Extract<Request, { readonly ask: "page" }>
): Promise<Response> => {
  const page = await (index === 0 ? (first ??= readPage(document, 0)) : readPage(document, index))
  if (attachments !== true) return { answer: "page", page }
  try {
    return { answer: "page", page, attachments: document.attached?.list() ?? [] }
  } catch (error) {
    // The page is not lost; the next question is told.
    if (isFatal(error)) failed = error
    return { answer: "page", page }
  }
}

const respond = async (request: Request): Promise<Response> => {
  if (failed !== undefined) throw failed
  if (request.ask === "open") return open(request.bytes, request.mimeType)
  if (opened === undefined) throw new NotReadable("No document is open.")
  const { document } = opened
  if (request.ask === "page") return pageOf(document, request)
  if (request.ask === "attachments") {
    return { answer: "attachments", attachments: document.attached?.list() ?? [] }
  }
  if (request.ask === "attachment") {
    return { answer: "attachment", ...attachedInvoice(document.attached, request.index) }
  }
  if (request.ask === "file") {
    return { answer: "file", bytes: attachedFile(document.attached, request.index) }
  }
  if (request.ask === "view") return viewOf(document, request)
  const image = await document.image(request.index, request.dpi)
  // Loaded only if pictures are needed: most documents need none.
  if (request.ask === "picture") {
    const { encodePicture } = await loaded(import("../scan/EncodePicture.ts"))
    return { answer: "picture", picture: await encodePicture(image, request.turns) }
  }
  const { prepareScan } = await loaded(import("../scan/PrepareScan.ts"))
  return { answer: "image", image: await prepareScan(image, request.turns) }
}

/** Reads the first page of a document with up to `most` pages before it is asked for; who asks is told of errors. */
const readFirst = (most: number): void => {
  if (opened === undefined || opened.document.pageCount > most || first !== undefined) return
  first = readPage(opened.document, 0)
  first.catch(() => undefined)
}

/** Errors of WebAssembly leave its memory in an unknown state: the process must not read another document. */
const isFatal = (error: unknown): boolean =>
  !(error instanceof Error) || error instanceof RangeError || error.name === "RuntimeError"

const send = (response: Response): Promise<void> => sendToParent(response)

const answer = (response: Response) => send(isTired() ? { ...response, tired: true } : response)

runInBackground()
process.on("message", (request: Request | Forget) => {
  if (request.ask === "forget") return close()
  const answered = respond(request).then(answer)
  if (request.ask === "open") {
    const { first: most = 0 } = request
    void answered.then(
      () => readFirst(most),
      () => undefined
    )
  }
  answered.catch(async (error: unknown) => {
    const code = codeOf(error)
    if (code !== undefined) return send({ answer: "hindered", code })
    if (error instanceof Error && !isFatal(error)) {
      return send({ answer: "unreadable", message: error.message })
    }
    await send({ answer: "crashed" })
    process.exit(1)
  })
})
process.on("disconnect", () => process.exit(0))
void send({ answer: "ready" })
