/** Milliseconds on a clock that never goes back. */
export const elapsed = (): number => performance.now()

/** Waits; rejects with the reason of the signal when it is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end)
      resolve()
    }, ms)
    signal?.addEventListener("abort", end, { once: true })
  })

interface RandomSource {
  getRandomValues(array: Uint8Array<ArrayBuffer>): unknown
}

const isSource = (value: unknown): value is RandomSource =>
  typeof value === "object" && value !== null && "getRandomValues" in value

/** Node.js 18 has its random source only in a module; its name is hidden from bundlers for browsers. */
const randomSource = async (): Promise<RandomSource> => {
  const global: unknown = globalThis.crypto
  if (isSource(global)) return global
  const module: { readonly webcrypto?: unknown } = await import(["node", "crypto"].join(":"))
  if (isSource(module.webcrypto)) return module.webcrypto
  throw new Error("This runtime has no crypto.getRandomValues")
}

/** A number of random bytes, in hexadecimal. */
export const randomHex = async (bytes: number): Promise<string> => {
  const array = new Uint8Array(bytes)
  ;(await randomSource()).getRandomValues(array)
  return [...array].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** A random number from 0 to 1. */
export const randomShare = async (): Promise<number> => Number.parseInt(await randomHex(4), 16) / 0xffffffff
