import type { Attachment } from "../../../domain/Attachment.ts"
import { type AttachedFiles, NotReadable } from "../FormatReader.ts"
import type { Pdfium } from "./Pdfium.ts"

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
export const pdfAttachments = (pdfium: Pdfium, document: number): AttachedFiles => {
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
