import { expect, test } from "vitest"
import { releaseBytes } from "../../src/support/ReleaseBytes.ts"

test("bytes with memory of their own are empty, and the memory is free at once", () => {
  const bytes = Buffer.alloc(2 ** 24)
  const before = process.memoryUsage().arrayBuffers
  releaseBytes(bytes)
  expect(bytes).toHaveLength(0)
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThanOrEqual(2 ** 24)
})

test("bytes whose memory others use, or may use, stay", () => {
  const all = Buffer.from(new ArrayBuffer(8))
  const shared = new Uint8Array(new SharedArrayBuffer(8))
  releaseBytes(all.subarray(0, 4))
  releaseBytes(shared)
  expect([all.length, shared.length]).toEqual([8, 8])
})
