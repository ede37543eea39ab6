import {
  type AttachedFiles,
  type ColourImage,
  type FormatReader,
  NotReadable,
  type OpenDocument,
  type PageImage
} from "../FormatReader.ts"
import { loadPdfium, type Pdfium } from "./Pdfium.ts"
import { readPdfPage } from "./PdfPage.ts"
import type { Attachment } from "../../../domain/Attachment.ts"

/** A portfolio may hold thousands; nobody needs the list. */
const mostListed = 100
/** Longer names are truncated. In bytes of UTF-16. */
const nameBytes = 512

type Ask = (pointer: number, bytes: number) => number

/** A string that PDFium writes as zero-terminated UTF-16. */
const textOf = ({ heaps, malloc, free }: Pdfium, ask: Ask): string => {
  const length = ask(0, 0)
  // PDFium writes nothing if the buffer is too small: such a name is ignored.
  if (length <= 2 || length > 65_536) return ""
  const pointer = malloc(length)
  try {
    ask(pointer, length)
    const end = pointer + Math.min(nameBytes, length - 2)
    const text = Buffer.from(heaps.HEAPU8.subarray(pointer, end)).toString("utf16le")
    // Characters that change the writing direction would display `fdp.xml` as `lmx.pdf`.
    return text.toWellFormed().replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, "")
  } finally {
    free(pointer)
  }
}

const describe = (pdfium: Pdfium, file: number): Attachment => {
  const { api } = pdfium
  const filename = textOf(pdfium, (at, bytes) => api.FPDFAttachment_GetName(file, at, bytes))
  const mimeType = textOf(pdfium, (at, bytes) => api.FPDFAttachment_GetSubtype(file, at, bytes))
  return { filename: filename === "" ? null : filename, ...(mimeType === "" ? {} : { mimeType }) }
}

/** Decompresses a file; PDFium counts its bytes, whatever the PDF claims. */
const readFile = (pdfium: Pdfium, file: number, most: number) => {
  const { api, heaps, malloc, free } = pdfium
  const length = malloc(8)
  const sizeAt = () =>
    new DataView(heaps.HEAPU8.buffer, heaps.HEAPU8.byteOffset + length, 4).getUint32(0, true)
  try {
    if (!api.FPDFAttachment_GetFile(file, 0, 0, length)) throw new NotReadable("It cannot be read.")
    const size = sizeAt()
    if (size > most) return { size }
    const pointer = malloc(Math.max(1, size))
    if (pointer === 0) throw new NotReadable("It needs too much memory.")
    try {
      if (!api.FPDFAttachment_GetFile(file, pointer, size, length) || sizeAt() !== size) {
        throw new NotReadable("It cannot be read.")
      }
      return { size, bytes: heaps.HEAPU8.slice(pointer, pointer + size) }
    } finally {
      free(pointer)
    }
  } finally {
    free(length)
  }
}

/** The files that are embedded in a PDF; those that only an annotation on a page holds are left out. */
const pdfAttachments = (pdfium: Pdfium, document: number): AttachedFiles => {
  const { api } = pdfium
  return {
    list: () => {
      const count = Math.min(mostListed, api.FPDFDoc_GetAttachmentCount(document))
      return Array.from({ length: Math.max(0, count) }, (_, i) =>
        describe(pdfium, api.FPDFDoc_GetAttachment(document, i))
      )
    },
    read: (index, most) => {
      const file = api.FPDFDoc_GetAttachment(document, index)
      if (file === 0) throw new NotReadable("It is missing.")
      return readFile(pdfium, file, most)
    }
  }
}

const key = Buffer.from("/Count")
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0x00

/**
 * Writes zeros over every `/Count n` in the bytes of a PDF, in place. PDFium trusts a positive count and walks the page
 * tree if it is zero; only walking finds the pages of a file that understates them. Outlines have counts too, which are
 * not used here. Counts inside compressed object streams remain.
 */
const forgetCounts = (bytes: Uint8Array): void => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = view.indexOf(key); at >= 0; at = view.indexOf(key, at + key.length)) {
    let i = at + key.length
    while (isSpace(view[i])) i++
    for (; isDigit(view[i]); i++) view[i] = 0x30
  }
}

/** The codes of FPDF_GetLastError that a caller can act on. */
const reasons: Readonly<Record<number, string>> = {
  3: "The PDF is damaged or is not a PDF.",
  4: "The PDF is protected by a password.",
  5: "The PDF uses an encryption that cannot be read."
}

/** A bitmap of PDFium: its format, its bytes per pixel, and the flags to draw with (1: with annotations, 16: red first). */
const gray = { format: 1, channels: 1, flags: 0x01 } as const
const colour = { format: 3, channels: 4, flags: 0x11 } as const

interface Drawing {
  readonly format: number
  readonly channels: 1 | 4
  readonly flags: number
}

/** Renders a page at the resolution that follows from its size in points. */
const draw = (
  { api, heaps }: Pdfium,
  document: number,
  index: number,
  dpiFor: (longest: number) => number,
  { channels, flags, format }: Drawing
): ColourImage & { readonly dpi: number } => {
  const page = api.FPDF_LoadPage(document, index)
  if (page === 0) throw new Error("The page is missing or damaged.")
  const [across, down] = [api.FPDF_GetPageWidthF(page), api.FPDF_GetPageHeightF(page)]
  const dpi = dpiFor(Math.max(across, down, 1))
  const width = Math.max(1, Math.round((across * dpi) / 72))
  const height = Math.max(1, Math.round((down * dpi) / 72))
  // A page may claim to be kilometres wide.
  if (width * height > 60_000_000) throw new Error("The page is too large to be made into a picture.")
  const bitmap = api.FPDFBitmap_CreateEx(width, height, format, 0, 0)
  try {
    api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
    api.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    const from = api.FPDFBitmap_GetBuffer(bitmap)
    const stride = api.FPDFBitmap_GetStride(bitmap)
    const row = width * channels
    const pixels = new Uint8Array(row * height)
    const heap = heaps.HEAPU8
    // The rows are padded, and the padding would appear as marks at the edge.
    for (let y = 0; y < height; y++) {
      pixels.set(heap.subarray(from + y * stride, from + y * stride + row), y * row)
    }
    return { width, height, dpi, channels, pixels }
  } finally {
    api.FPDFBitmap_Destroy(bitmap)
    api.FPDF_ClosePage(page)
  }
}

const renderImage = (pdfium: Pdfium, document: number, index: number, dpi: number): PageImage =>
  draw(pdfium, document, index, () => dpi, gray)

/** The actual number of pages: the last one that exists, found without trusting the declared count. */
const reachablePages = ({ api, malloc, free }: Pdfium, document: number): number => {
  const size = malloc(8)
  const exists = (index: number) => api.FPDF_GetPageSizeByIndexF(document, index, size)
  let count = api.FPDF_GetPageCount(document)
  // A wrong count is usually far off: halve first, then step back to the last page that exists.
  while (count > 64 && !exists(count - 1) && !exists(count >> 1)) count >>= 1
  while (count > 0 && !exists(count - 1)) count--
  free(size)
  return count
}

const open = (pdfium: Pdfium, bytes: Uint8Array): OpenDocument => {
  const { api, heaps, malloc, free } = pdfium
  const file = malloc(bytes.length)
  if (file === 0) throw new NotReadable("The PDF is too large to be read.")
  heaps.HEAPU8.set(bytes, file)
  forgetCounts(heaps.HEAPU8.subarray(file, file + bytes.length))
  const document = api.FPDF_LoadMemDocument64(file, bytes.length, "")
  if (document === 0) {
    const code = api.FPDF_GetLastError()
    free(file)
    throw new NotReadable(reasons[code] ?? "The PDF cannot be opened.")
  }
  const declared = api.FPDF_GetPageCount(document)
  const pageCount = reachablePages(pdfium, document)
  return {
    pageCount,
    ...(declared === pageCount ? {} : { declaredPageCount: declared }),
    page: (index) => readPdfPage(pdfium, document, index),
    image: (index, dpi) => renderImage(pdfium, document, index, dpi),
    colours: (index, side) => draw(pdfium, document, index, (longest) => (side * 72) / longest, colour),
    attached: pdfAttachments(pdfium, document),
    close: () => {
      api.FPDF_CloseDocument(document)
      free(file)
    }
  }
}

/** The reader for PDF, based on PDFium compiled to WebAssembly. */
export const load = async (): Promise<FormatReader> => {
  const pdfium = await loadPdfium()
  return {
    open: (bytes) => open(pdfium, bytes),
    heldMemory: () => pdfium.heaps.HEAPU8.byteLength
  }
}
