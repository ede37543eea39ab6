import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type FormatReader, NotReadable, type OpenDocument, type PageImage } from "../FormatReader.ts"
import { checkSize, pageOf } from "./PictureSize.ts"

/** A child lacks the memory for more: a photo is decoded in colour, and then converted to gray. */
const mostPixels = 50_000_000

/** The part of libheif that is called here. Its handles are opaque objects. */
interface LibHeif {
  readonly HEAPU8: Uint8Array
  readonly heif_colorspace: { readonly heif_colorspace_RGB: object }
  readonly heif_chroma: { readonly heif_chroma_interleaved_RGB: object }
  heif_context_alloc(): object
  heif_context_free(context: object): void
  heif_context_read_from_memory(context: object, bytes: Uint8Array): unknown
  heif_js_context_get_primary_image_handle(context: object): object
  heif_image_handle_get_width(handle: object): number
  heif_image_handle_get_height(handle: object): number
  heif_image_handle_release(handle: object): void
  heif_js_decode_image2(handle: object, colours: object, chroma: object): unknown
  heif_image_release(image: object): void
}

interface Decoded {
  readonly image: object
  readonly channels: ReadonlyArray<{
    readonly width: number
    readonly height: number
    readonly stride: number
    readonly data: Uint8Array
  }>
}

const isLibHeif = (module: unknown): module is LibHeif =>
  typeof module === "object" && module !== null && "heif_js_decode_image2" in module

const isDecoded = (answer: unknown): answer is Decoded =>
  typeof answer === "object" && answer !== null && "channels" in answer && "image" in answer

/** Whether an answer is an error: it has a code, and the code is not 0. */
const isError = (answer: object): boolean =>
  "code" in answer &&
  typeof answer.code === "object" &&
  answer.code !== null &&
  "value" in answer.code &&
  answer.code.value !== 0

const damaged = (): NotReadable => new NotReadable("The picture is damaged or cannot be read.")

const silent = () => {}

const loadLibHeif = async (): Promise<LibHeif> => {
  const require = createRequire(import.meta.url)
  const start: unknown = require("libheif-js/libheif-wasm/libheif.js")
  if (typeof start !== "function") throw new Error("libheif does not start")
  const wasmBinary = readFileSync(require.resolve("libheif-js/libheif-wasm/libheif.wasm"))
  const module: unknown = await start({ wasmBinary, print: silent, printErr: silent })
  if (!isLibHeif(module)) throw new Error("this build of libheif lacks its functions")
  return module
}

const grayOf = ({ channels }: Decoded, dpi: number): PageImage => {
  const [colours] = channels
  if (colours === undefined) throw damaged()
  const { data, height, stride, width } = colours
  const pixels = new Uint8Array(width * height)
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, at = y * stride; x < width; x++, at += 3) {
      const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]]
      pixels[to++] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
    }
  }
  return { width, height, dpi, pixels }
}

const decode = (lib: LibHeif, handle: object, dpi: number): PageImage => {
  const { heif_chroma: chroma, heif_colorspace: colours } = lib
  const decoded = lib.heif_js_decode_image2(
    handle,
    colours.heif_colorspace_RGB,
    chroma.heif_chroma_interleaved_RGB
  )
  if (!isDecoded(decoded)) throw damaged()
  try {
    return grayOf(decoded, dpi)
  } finally {
    lib.heif_image_release(decoded.image)
  }
}

/** Whether the file ends before its boxes do: libheif would find out only when it decodes. */
const isCutOff = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  while (at + 8 <= view.byteLength) {
    const short = view.getUint32(at)
    // A size of 0 extends to the end, 1 means that 64 bits follow.
    if (short === 0) return false
    if (short === 1 && at + 16 > view.byteLength) return true
    const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short
    if (size < 8) return true
    at += size
  }
  return at > view.byteLength
}

/** The main picture; libheif turns it upright. Thumbnails, depth maps and the other pictures of a burst are left out. */
const open = (lib: LibHeif, bytes: Uint8Array): OpenDocument => {
  if (isCutOff(bytes)) throw damaged()
  const context = lib.heif_context_alloc()
  const free = () => lib.heif_context_free(context)
  const read = lib.heif_context_read_from_memory(context, bytes)
  const handle = lib.heif_js_context_get_primary_image_handle(context)
  if ((typeof read === "object" && read !== null && isError(read)) || isError(handle)) {
    free()
    throw damaged()
  }
  const width = lib.heif_image_handle_get_width(handle)
  const height = lib.heif_image_handle_get_height(handle)
  checkSize(width, height, mostPixels)
  const page = pageOf(width, height, undefined)
  return {
    pageCount: 1,
    page: () => ({ width: page.width, height: page.height, words: [], drawn: true }),
    image: () => decode(lib, handle, page.dpi),
    close: () => {
      lib.heif_image_handle_release(handle)
      free()
    }
  }
}

/** The reader for HEIC, the format of phone photos, based on libheif compiled to WebAssembly. */
export const load = async (): Promise<FormatReader> => {
  const lib = await loadLibHeif()
  return { open: (bytes) => open(lib, bytes), heldMemory: () => lib.HEAPU8.byteLength }
}
