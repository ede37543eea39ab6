const key = Buffer.from("/Count")
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0x00

/**
 * Writes zeros over every `/Count n` in the bytes of a PDF, in place. PDFium trusts a positive count and walks the page
 * tree if it is zero; only walking finds the pages of a file that understates them. Outlines have counts too, which are
 * not used here. Counts inside compressed object streams remain.
 */
export const forgetCounts = (bytes: Uint8Array): void => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = view.indexOf(key); at >= 0; at = view.indexOf(key, at + key.length)) {
    let i = at + key.length
    while (isSpace(view[i])) i++
    for (; isDigit(view[i]); i++) view[i] = 0x30
  }
}
