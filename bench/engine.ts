import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { check, StepRegistry } from "../dsl/index.ts"
import type { BlobStoreFailure } from "../src/providers/blobs/Blobs.ts"
import type { FlowFailure } from "../src/engine/program/FlowFailure.ts"
import { runFlow, type RuntimeHooks } from "../src/engine/program/FlowProgram.ts"
import type { StepRecord } from "../src/engine/journal/StepRecord.ts"
import * as Database from "../src/sql/Database.ts"
import { transform } from "../src/steps/Transform.ts"

/**
 * What the engine costs: a flow of ten trivial steps against the same ten steps written by hand in Effect, both with the
 * same look before each step and the same journal write after it. The goal is a ratio of at most 3.
 */

const count = 10
const steps = Array.from({ length: count }, (_, index) => {
  const before = index === 0 ? "input.document.pageCount" : `steps.s${index - 1}`
  return `  - { id: s${index}, uses: transform, with: { value: "\${{ ${before} + 1 }}" } }`
})
const flow = Result.getOrThrow(
  check(
    `docflow: 1\nid: bench\nversion: 1.0.0\nname: Bench\ndocument: { formats: [application/pdf] }\nsteps:\n${steps.join("\n")}\noutput: { value: { it: "\${{ steps.s${count - 1} }}" } }\n`,
    {
      file: "bench.yaml",
      registry: StepRegistry.make([transform]),
      sha256: (text) => hash("sha256", text)
    }
  )
)

interface Journal {
  readonly look: (path: string) => Effect.Effect<void>
  readonly write: (record: StepRecord) => Effect.Effect<void>
}

const document = { blob: "00", mimeType: "application/pdf", size: 1, pageCount: 1 }

const byEngine = (journal: Journal) => {
  const hooks: RuntimeHooks<never> = {
    recall: () => undefined,
    checkpoint: journal.look,
    record: journal.write,
    progress: () => Effect.void
  }
  return runFlow(
    flow,
    { executionId: "e", organizationId: null, environment: "live", document, variables: {} },
    hooks
  )
}

const byHand = (journal: Journal) =>
  Effect.gen(function* () {
    let value = document.pageCount
    for (let index = 0; index < count; index++) {
      const path = `s${index}`
      yield* journal.look(path)
      const startedAt = Date.now()
      value += 1
      yield* journal.write({
        path,
        kind: "transform",
        status: "completed",
        startedAt: new Date(startedAt),
        durationMs: Date.now() - startedAt,
        attempts: 1,
        output: value
      })
    }
    return value
  })

const timed = Effect.fnUntraced(function* (
  runs: number,
  program: Effect.Effect<unknown, FlowFailure | BlobStoreFailure>
) {
  const startedAt = performance.now()
  for (let run = 0; run < runs; run++) yield* program
  return ((performance.now() - startedAt) / runs) * 1000
})

/** Alternates between the two, so that neither has the warmer machine, and takes the median. */
const compare = Effect.fnUntraced(function* (name: string, runs: number, journal: Journal) {
  const times: { readonly engine: Array<number>; readonly hand: Array<number> } = { engine: [], hand: [] }
  yield* timed(runs, byEngine(journal))
  yield* timed(runs, byHand(journal))
  for (let round = 0; round < 9; round++) {
    times.engine.push(yield* timed(runs, byEngine(journal)))
    times.hand.push(yield* timed(runs, byHand(journal)))
  }
  const [engine, hand] = [median(times.engine), median(times.hand)]
  const ratio = engine / hand
  const row = [engine.toFixed(0), hand.toFixed(0), ratio.toFixed(2)].map((cell) => cell.padStart(10))
  console.log(`${name.padEnd(24)}${row.join("")}`)
  return ratio
})

const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0

const inMemory = (): Journal => {
  const journal = new Map<string, string>()
  return {
    look: (path) => Effect.sync(() => void journal.has(path)),
    write: (record) => Effect.sync(() => void journal.set(record.path, JSON.stringify(record)))
  }
}

const inDatabase = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table bench (path text, record json)`
  const journal: Journal = {
    look: (path) => Effect.orDie(Effect.asVoid(sql`select 1 from bench where path = ${path} limit 1`)),
    write: (record) =>
      Effect.orDie(
        Effect.asVoid(sql`insert into bench values (${record.path}, ${JSON.stringify(record)}::json)`)
      )
  }
  return yield* compare("journal in the database", 20, journal)
})

console.log(
  `${"microseconds a run".padEnd(24)}${["engine", "by hand", "ratio"].map((word) => word.padStart(10)).join("")}`
)
const database = Database.layerEmbedded().pipe(Layer.provide(NodeServices.layer))
const withDatabase = await Effect.runPromise(Effect.scoped(Effect.provide(inDatabase, database)))
const withMemory = await Effect.runPromise(compare("journal in memory", 2000, inMemory()))
process.exitCode = Math.max(withDatabase, withMemory) <= 3 ? 0 : 1
