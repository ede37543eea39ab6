import { crc32 } from "node:zlib"
import { fromBufferPromise, type Entry } from "yauzl"
import { NotReadable } from "../FormatReader.ts"

/** Limits of decompression. Ordinary Office files stay far below them. */
const mostEntries = 10_000
const largestEntry = 64 * 1024 * 1024
const largestTotal = 192 * 1024 * 1024
const highestRatio = 250
/** Below this size a high ratio is harmless, and normal for empty tables. */
const ratioMatters = 8 * 1024 * 1024

/** The files inside an archive, by name. */
export interface Archive {
  readonly has: (name: string) => boolean
  readonly names: ReadonlyArray<string>
  /** The bytes of a file; undefined if the archive has none of that name. */
  readonly read: (name: string) => Promise<Buffer | undefined>
}

const damaged = () => new NotReadable("The document is damaged: the archive is incomplete.")
const tooLarge = () =>
  new NotReadable("The decompressed document is too large; it may be a decompression bomb.")

const refuse = (entry: Entry): void => {
  if (entry.isEncrypted()) throw new NotReadable("The document is protected by a password.")
  const { compressedSize, uncompressedSize } = entry
  const unfolds = uncompressedSize > ratioMatters && uncompressedSize > highestRatio * compressedSize
  if (uncompressedSize > largestEntry || unfolds) throw tooLarge()
}

const whole = async (chunks: AsyncIterable<Buffer>, entry: Entry): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > largestEntry) throw tooLarge()
    parts.push(chunk)
  }
  const bytes = Buffer.concat(parts, size)
  if (crc32(bytes) !== entry.crc32) throw damaged()
  return bytes
}

/** Any other error of an archive means that it is damaged. */
const orDamaged = async <A>(work: Promise<A>): Promise<A> =>
  work.catch((error: unknown) => {
    throw error instanceof NotReadable ? error : damaged()
  })

/** Opens a ZIP archive. Files are decompressed when they are read, within the limits. */
export const openArchive = async (bytes: Uint8Array): Promise<Archive> => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const zip = await orDamaged(fromBufferPromise(view, { lazyEntries: true, validateEntrySizes: true }))
  if (zip.entryCount > mostEntries) throw tooLarge()
  const entries = new Map<string, Entry>()
  const list = async () => {
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= mostEntries) throw tooLarge()
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
    }
  }
  await orDamaged(list())
  let unfolded = 0
  return {
    has: (name) => entries.has(name),
    names: [...entries.keys()],
    read: async (name) => {
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      refuse(entry)
      unfolded += entry.uncompressedSize
      if (unfolded > largestTotal) throw tooLarge()
      return orDamaged(zip.openReadStreamPromise(entry).then((stream) => whole(stream, entry)))
    }
  }
}
