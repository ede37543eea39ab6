/** A sieve has 2 to the power of this many bits, 64 KiB: with the 100,000 keys of all labels, one in six of other keys passes. */
const power = 19

/** The place of a key among the bits, by Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4). */
const placeOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> (32 - power)

/**
 * Some letters of a string as one number, which is found faster than a string that is cut out first; `seed` distinguishes the same
 * letters of different strings. Others may have the same number: whoever looks up compares the strings.
 */
export const keyOf = (text: string, from: number, to: number, seed = 0): number => {
  let key = seed
  for (let at = from; at < to; at++) key = (Math.imul(key, 31) + text.charCodeAt(at)) | 0
  return key
}

/**
 * Sorts out unknown keys by one bit each, before others are looked up in a map (Bloom 1970, with one hash): most letters of a page
 * begin no label at all.
 */
export class KeySieve {
  readonly #bits = new Uint8Array(2 ** power / 8)

  constructor(keys: Iterable<number>) {
    for (const key of keys) {
      const place = placeOf(key)
      this.#bits[place >>> 3] = (this.#bits[place >>> 3] ?? 0) | (1 << (place & 7))
    }
  }

  /** Whether a key may be one of those that the sieve was made with; false if it is none for sure. */
  passes(key: number): boolean {
    const place = placeOf(key)
    return ((this.#bits[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0
  }
}
