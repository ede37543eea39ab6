import type Sharp from "sharp"

/** The loaders of libvips for untrusted bytes: common formats, none that runs scripts or fetches files. */
const loaders = [
  "VipsForeignLoadJpegBuffer",
  "VipsForeignLoadPngBuffer",
  "VipsForeignLoadWebpBuffer",
  "VipsForeignLoadTiffBuffer",
  "VipsForeignLoadNsgifBuffer",
  "VipsForeignLoadHeifBuffer"
]

let loading: Promise<typeof Sharp> | undefined

const load = async (): Promise<typeof Sharp> => {
  const { default: sharp } = await import("sharp")
  sharp.cache(false)
  // One document, one core: other children work at the same time.
  sharp.concurrency(1)
  sharp.block({ operation: ["VipsForeignLoad"] })
  sharp.unblock({ operation: loaders })
  return sharp
}

/** Starts libvips (about 40 ms). Once per process. */
export const loadSharp = (): Promise<typeof Sharp> => (loading ??= load())
