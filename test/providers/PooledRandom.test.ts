import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as PooledRandom from "../../src/providers/random/PooledRandom.ts"

/** Every run of eight bytes; chance repeats one in a hundred million tests. */
const runsOf = (all: ReadonlyArray<Uint8Array>): ReadonlyArray<string> =>
  all.flatMap((bytes) =>
    Array.from({ length: Math.floor(bytes.length / 8) }, (_, index) =>
      Buffer.from(bytes.subarray(8 * index, 8 * index + 8)).toString("hex")
    )
  )

describe("randomness that is drawn in advance", () => {
  it.effect("gives out nothing twice, whatever is asked for", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const drawn: Array<Uint8Array> = []
      for (let round = 0; round < 400; round++) {
        for (const size of [8, 16, 48, 4_096, 4_104, 1_000, 32]) {
          const bytes = yield* random.randomBytes(size)
          expect(bytes.length).toBe(size)
          drawn.push(bytes)
        }
      }
      const runs = runsOf(drawn)
      expect(new Set(runs).size).toBe(runs.length)
    }).pipe(Effect.provide(PooledRandom.layer))
  )

  it.effect("does not change what it gave out, nor keeps it", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const first = yield* random.randomBytes(32)
      const before = Buffer.from(first).toString("hex")
      for (let round = 0; round < 1_000; round++) yield* random.randomBytes(32)
      expect(Buffer.from(first).toString("hex")).toBe(before)
      expect(first.buffer.byteLength).toBe(32)
    }).pipe(Effect.provide(PooledRandom.layer))
  )

  it.effect("makes ids that differ", () =>
    Effect.gen(function* () {
      const { ulid } = yield* SecureRandom.SecureRandom
      const ids = yield* Effect.replicateEffect(ulid, 5_000)
      expect(new Set(ids).size).toBe(5_000)
    }).pipe(Effect.provide(PooledRandom.layer))
  )
})
