import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium"

/** The views on WebAssembly's memory; they are replaced whenever it grows, so never keep one. */
interface Heaps {
  readonly HEAPU8: Uint8Array
  readonly HEAPF32: Float32Array
  readonly HEAPF64: Float64Array
}

const hasHeaps = (module: object): module is Heaps =>
  "HEAPU8" in module && "HEAPF32" in module && "HEAPF64" in module

/**
 * Functions that are called for every character, object and segment of a page: three times as fast without the wrapper.
 */
const hotNames = [
  "FPDFText_GetUnicode",
  "FPDFText_GetLooseCharBox",
  "FPDFText_GetCharAngle",
  "FPDFText_GetTextObject",
  "FPDFTextObj_GetFont",
  "FPDFPage_GetObject",
  "FPDFFormObj_GetObject",
  "FPDFPageObj_GetType",
  "FPDFPageObj_GetMatrix",
  "FPDFPageObj_GetFillColor",
  "FPDFPath_CountSegments",
  "FPDFPath_GetDrawMode",
  "FPDFPath_GetPathSegment",
  "FPDFPathSegment_GetType",
  "FPDFPathSegment_GetPoint",
  "FPDFPathSegment_GetClose"
] as const

/** The functions as WebAssembly exports them: arguments and results are numbers; any number but 0 is true. */
type Hot = Readonly<Record<(typeof hotNames)[number], (...parameters: ReadonlyArray<number>) => number>>

const hasHot = (exports: object): exports is Hot =>
  hotNames.every((name) => typeof Reflect.get(exports, name) === "function")

/** PDFium's C functions, and its memory. */
export interface Pdfium {
  readonly hot: Hot
  readonly api: WrappedPdfiumModule
  readonly heaps: Heaps
  readonly malloc: (bytes: number) => number
  readonly free: (pointer: number) => void
}

const silent = () => {}

/** Starts PDFium (about 60 ms). Once per process. */
export const loadPdfium = async (): Promise<Pdfium> => {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")))
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)
  const api = await init({ wasmBinary, print: silent, printErr: silent })
  api.PDFiumExt_Init()
  const heaps: object = api.pdfium
  if (!hasHeaps(heaps)) throw new Error("this build of PDFium does not show its memory")
  const { malloc, free } = api.pdfium.wasmExports
  const hot: object = api.pdfium.wasmExports
  if (!hasHot(hot)) throw new Error("this build of PDFium does not export its functions")
  return { api, hot, heaps, malloc, free }
}
