import { Effect, Random } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { similarity } from "../../src/extraction/examples/Layout.ts"
import type { LayoutWord } from "../../src/domain/LearnedExample.ts"
import { LearnedExamples } from "../../src/providers/examples/LearnedExamples.ts"
import { keysOf } from "../../src/services/examples/ExampleKeys.ts"
import { json } from "../../src/sql/Json.ts"
import { pdf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import type { Shared } from "./Shared.ts"

type Words = ReadonlyArray<LayoutWord>

const randomWord = Effect.map(Random.nextIntBetween(0, 1e9), (n) =>
  n.toString(26).replaceAll(/\d/gu, (digit) => "qrstuvwxyz".charAt(Number(digit)))
)

const template = Effect.forEach(Array.from({ length: 60 }), (_, at) =>
  Effect.map(randomWord, (text): LayoutWord => ({ text, x: 50 + 180 * (at % 3), y: 40 + 10 * at }))
)

/** The words of a page with those replaced that `isOther` names. */
const varied = (words: Words, isOther: (at: number) => boolean) =>
  Effect.forEach(words, (word, at) =>
    isOther(at) ? Effect.map(randomWord, (text) => ({ ...word, text })) : Effect.succeed(word)
  )

const documentOf = (sender: Words) => varied(sender, (at) => at % 6 === 3)

/** Senders who use one program: a sixth of the words are the sender's, and a sixth are the document's. */
const ofOneProgram = Effect.gen(function* () {
  const base = yield* template
  const senders = yield* Effect.forEach(Array.from({ length: 160 }), () => varied(base, (at) => at % 6 === 0))
  const stored = yield* Effect.forEach(senders, documentOf)
  return { stored, asked: yield* Effect.forEach(senders.slice(0, 20), documentOf) }
})

/** Layouts that share a tenth to six tenths of their words, and documents of the oldest one. */
const ofManyLayouts = Effect.gen(function* () {
  const base = yield* template
  const others = yield* Effect.forEach(Array.from({ length: 160 }), () =>
    Effect.flatMap(Random.nextBetween(4, 9), (share) =>
      Effect.flatMap(Random.nextIntBetween(0, 10), (from) => varied(base, (at) => (at + from) % 10 < share))
    )
  )
  const asked = yield* Effect.forEach(Array.from({ length: 5 }), (_, from) =>
    varied(base, (at) => at % 10 === from)
  )
  return { stored: [base, ...others], asked }
})

const store = Effect.fnUntraced(function* (organizationId: string, stored: ReadonlyArray<Words>) {
  const sql = yield* SqlClient.SqlClient
  const rows = stored.map((words, n) => ({
    id: `ex_${organizationId}_${n}`,
    keys: keysOf(organizationId, "live", words),
    words
  }))
  yield* sql`
    insert into examples (id, organization_id, environment, step, flow_id, created_at, keys, words, fields)
    select id, ${organizationId}, 'live', 'fields', 'learner', now(), keys, words, '{}'
    from json_to_recordset(${json(sql, rows)}::json) as row (id text, keys text[], words json)`
})

/** The example that is found among many is the one that a comparison with all of them finds. */
export const describeSimilar = (service: Shared): void => {
  it.each([
    ["of senders who use the same program", ofOneProgram],
    ["of layouts that have words in common", ofManyLayouts]
  ] as const)("finds among examples %s the one that is the most similar of all", async (_, storeOf) => {
    const owner = await service.it.tenant()
    const body = { wait: true, input: { document: { base64: await pdf() } } }
    const ran = await service.it.call("POST", "/flows/learner/run", { key: owner.live, body })
    const found = await service.it.run(
      Effect.gen(function* () {
        const { asked, stored } = yield* Random.withSeed(storeOf, "similar")
        yield* store(owner.id, stored)
        const examples = yield* LearnedExamples
        return yield* Effect.forEach(asked, (words) =>
          Effect.map(
            examples.similar(textAt(ran.body, "id"), () => words),
            (similar) => ({
              best: Math.max(...stored.map((other) => similarity(other, words))),
              found: Math.max(0, ...similar.map((other) => similarity(other.words, words)))
            })
          )
        )
      })
    )
    expect(found.length).toBeGreaterThan(0)
    for (const { best, found: score } of found) expect([best > 0.5, score]).toEqual([true, best])
  })
}
