import { deflateSync } from "node:zlib"
import { PDFDocument } from "pdf-lib"

/** A PDF of one page with the given content stream, written by hand. */
const withContent = (content: Buffer, filter: string, count = 1): Uint8Array => {
  const parts: Array<Buffer> = [Buffer.from("%PDF-1.7\n")]
  const offsets: Array<number> = []
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  const object = (number: number, body: string | Buffer) => {
    offsets[number] = length()
    parts.push(
      Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(body), Buffer.from("\nendobj\n")])
    )
  }
  object(1, "<< /Type /Catalog /Pages 2 0 R >>")
  object(2, `<< /Type /Pages /Kids [3 0 R] /Count ${count} >>`)
  object(
    3,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>"
  )
  object(
    4,
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} ${filter} >>\nstream\n`),
      content,
      Buffer.from("\nendstream")
    ])
  )
  object(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
  const start = length()
  const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`)
  parts.push(Buffer.from(`xref\n0 6\n0000000000 65535 f \n${rows.join("")}`))
  parts.push(Buffer.from(`trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

const oneText = (text: string): Buffer => Buffer.from(`BT /F 12 Tf 72 700 Td (${text}) Tj ET`)

/** One page that says how many there are; `count` is what the file claims. */
export const countingPdf = (count: number): Uint8Array => withContent(oneText("one page"), "", count)

/** A few kilobytes that unfold to hundreds of megabytes (or a given number of bytes) when the page is read. */
export const memoryBomb = (bytes = 400 * 1024 * 1024): Uint8Array =>
  withContent(deflateSync(deflateSync(Buffer.alloc(bytes, 0x20))), "/Filter [/FlateDecode /FlateDecode]")

/** A page whose text takes PDFium many seconds. */
export const slowPage = (): Uint8Array => {
  const text = "BT /F 8 Tf 1 0 0 1 72 700 Tm (slow slow slow slow slow slow) Tj ET\n".repeat(900_000)
  return withContent(deflateSync(Buffer.from(text)), "/Filter /FlateDecode")
}

/** The pages of several PDFs in one. */
export const joinPdfs = async (parts: ReadonlyArray<Uint8Array>): Promise<Uint8Array> => {
  const joined = await PDFDocument.create()
  for (const part of parts) {
    const from = await PDFDocument.load(part)
    for (const page of await joined.copyPages(from, from.getPageIndices())) joined.addPage(page)
  }
  return joined.save()
}

/** A PDF whose tree of pages leads back to itself. */
export const pageLoop = (): Uint8Array =>
  Buffer.from(
    Buffer.from(countingPdf(1_000_000)).toString("latin1").replace("/Kids [3 0 R]", "/Kids [2 0 R]"),
    "latin1"
  )
