import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as fc from "../support/FastCheck.ts"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Outcome, type End } from "../../src/engine/journal/Outcome.ts"
import { Acceptances } from "../../src/services/admission/Acceptance.ts"
import { Organizations } from "../../src/services/organizations/Organizations.ts"
import { booksProblems } from "../support/Books.ts"
import { TestService } from "../support/TestService.ts"

// What becomes of credits, on a real database, without running any flow: the executions are made and ended here.
let service: TestService
beforeAll(async () => {
  service = await TestService.start()
})
afterAll(() => service.stop())

const stepCount = 4

/** Accepts a run of `cost` credits, and tells no runner of it; undefined when it was refused. */
const acceptRun = (organizationId: string, cost: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const executionId = `exec_${yield* (yield* SecureRandom.SecureRandom).ulid}`
    const { accept } = yield* Acceptances
    const made = {
      executionId,
      caller: {
        keyId: "key",
        organizationId,
        environment: "live",
        scopes: [],
        plan: "enterprise",
        customLimits: { concurrentExecutions: 1000 }
      },
      request: {},
      fingerprint: "",
      // The service looks every two seconds for executions that nobody runs: these wait at their first step then.
      flowId: "hold",
      version: "1.0.0",
      stepCount,
      document: { blob: "b", mimeType: "application/pdf", size: 1, pageCount: 1 },
      variables: { gate: "never opened" },
      cost,
      webhookSecret: undefined,
      requestId: undefined,
      metadata: undefined,
      webhookUrl: undefined,
      webhookEvents: undefined
    } as const
    const run = yield* accept(made, new Uint8Array([1]))
    // As the runner does.
    yield* sql`update executions set status = 'running' where id = ${executionId}`
    return run.executionId
  }).pipe(Effect.catchTag("INSUFFICIENT_CREDITS", () => Effect.undefined))

const finishStep = (executionId: string, path: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      insert into step_results (execution_id, path, kind, status, started_at, duration_ms, attempts)
      select id, ${path}, 'transform', 'completed', now(), 1, 1 from executions
      where id = ${executionId} and status = 'running' on conflict do nothing`
  )

const ends = {
  complete: { status: "completed", output: { done: true } },
  fail: { status: "failed", error: { code: "EXECUTION_FAILED", message: "no", step: "s" } },
  cancel: { status: "cancelled" }
} as const satisfies Record<string, End>

const end = (executionId: string, how: keyof typeof ends) =>
  Effect.flatMap(Outcome, (outcome) => outcome.end(executionId, ends[how]))

const newOrganization = (credits: number) =>
  Effect.flatMap(Organizations, (organizations) =>
    organizations.create({ name: "property", plan: "enterprise", credits })
  )

const creditsOf = (id: string) =>
  Effect.map(
    Effect.flatMap(Organizations, (organizations) => organizations.get(id)),
    ({ credits }) => credits
  )

const chargedOf = (executionId: string) =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ status: string; charged: number; reserved: number }>`
        select status, charged::float8, reserved::float8 from executions where id = ${executionId}`
    ),
    ([row]) => row ?? { status: "missing", charged: -1, reserved: -1 }
  )

/** To four decimals; never -0. */
const round = (amount: number) => Math.round(amount * 1e4) / 1e4 + 0

/** Credits with up to four decimals. */
const amount = (max: number) => fc.integer({ min: 0, max: max * 10_000 }).map((units) => units / 10_000)

type Command =
  | { readonly do: "grant"; readonly amount: number }
  | { readonly do: "accept"; readonly cost: number }
  | { readonly do: "step"; readonly which: number; readonly step: number }
  | { readonly do: "complete" | "fail" | "cancel"; readonly which: number }

const which = fc.nat({ max: 30 })
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constant("grant" as const),
    amount: fc.oneof(
      amount(50),
      amount(50).map((n) => -n)
    )
  }),
  fc.record({ do: fc.constant("accept" as const), cost: amount(20) }),
  fc.record({ do: fc.constant("step" as const), which, step: fc.nat({ max: stepCount - 1 }) }),
  fc.record({ do: fc.constantFrom("complete" as const, "fail" as const, "cancel" as const), which })
)

const booksOfAll = () => booksProblems((statement) => service.rows(statement))

describe("any sequence of grants, runs and ends", () => {
  test("keeps the books", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(amount(60), fc.array(command, { maxLength: 25 }), async (opening, commands) => {
        await service.run(
          Effect.gen(function* () {
            const { id } = yield* newOrganization(opening)
            const organizations = yield* Organizations
            const open = new Map<string, { readonly cost: number; readonly steps: Set<number> }>()
            const made: Array<string> = []
            let total = opening
            for (const command of commands) {
              const { balance } = yield* creditsOf(id)
              if (command.do === "grant") {
                yield* organizations.grant(id, command.amount, "property")
                total = round(total + Math.max(command.amount, -balance))
              } else if (command.do === "accept") {
                const executionId = yield* acceptRun(id, command.cost)
                // Accepted exactly when there is enough.
                expect(executionId !== undefined).toBe(command.cost <= balance)
                if (executionId === undefined) continue
                made.push(executionId)
                open.set(executionId, { cost: command.cost, steps: new Set() })
              } else {
                const executionId = made[command.which % Math.max(made.length, 1)]
                if (executionId === undefined) continue
                const known = open.get(executionId)
                if (command.do === "step") {
                  yield* finishStep(executionId, `step${command.step}`)
                  known?.steps.add(command.step)
                  continue
                }
                const won = yield* end(executionId, command.do)
                // The first end counts, every later one changes nothing.
                expect(won).toBe(known !== undefined)
                if (known === undefined) continue
                open.delete(executionId)
                const { charged, reserved } = yield* chargedOf(executionId)
                expect(reserved).toBe(known.cost)
                expect(charged).toBeLessThanOrEqual(reserved)
                if (command.do === "fail") expect(charged).toBe(0)
                if (command.do === "cancel" && known.steps.size === 0) expect(charged).toBe(0)
                if (known.steps.size === stepCount && command.do !== "fail") expect(charged).toBe(reserved)
                total = round(total - charged)
              }
              const credits = yield* creditsOf(id)
              expect(round(credits.balance + credits.reserved)).toBe(total)
              expect(credits.balance).toBeGreaterThanOrEqual(0)
              expect(credits.reserved).toBe(
                round([...open.values()].reduce((sum, { cost }) => sum + cost, 0))
              )
            }
            for (const executionId of open.keys()) yield* end(executionId, "cancel")
            expect((yield* creditsOf(id)).reserved).toBe(0)
            const { entries } = yield* organizations.ledger(id, { limit: 1000, offset: 0 })
            const sum = entries.reduce((sum, entry) => sum + entry.amount, 0)
            expect(round(sum)).toBe((yield* creditsOf(id)).balance)
          })
        )
        expect(await booksOfAll()).toEqual([])
      }),
      { numRuns: 25 }
    )
  })
})

describe("any interleaving of cancel, complete and fail on one execution", () => {
  test("ends in exactly one legal outcome, settled once", { timeout: 240_000 }, async () => {
    const how = fc.constantFrom("complete" as const, "fail" as const, "cancel" as const)
    await fc.assert(
      fc.asyncProperty(
        fc.array(how, { minLength: 1, maxLength: 8 }),
        fc.nat({ max: stepCount }),
        async (hows, steps) => {
          await service.run(
            Effect.gen(function* () {
              const { id } = yield* newOrganization(10)
              const executionId = yield* acceptRun(id, 8)
              if (executionId === undefined) throw new Error("it was refused")
              for (let step = 0; step < steps; step++) yield* finishStep(executionId, `step${step}`)
              const results = yield* Effect.forEach(
                hows,
                (how) => Effect.map(end(executionId, how), (won) => ({ how, won })),
                { concurrency: "unbounded" }
              )
              const winners = results.filter(({ won }) => won)
              expect(winners).toHaveLength(1)
              const { charged, status } = yield* chargedOf(executionId)
              const expected = { complete: "completed", fail: "failed", cancel: "cancelled" } as const
              expect(status).toBe(expected[winners[0]?.how ?? "fail"])
              const credits = yield* creditsOf(id)
              expect(credits).toEqual({ balance: round(10 - charged), reserved: 0 })
              if (status === "failed") expect(charged).toBe(0)
              if (status === "cancelled") expect(charged).toBe((8 * steps) / stepCount)
            })
          )
        }
      ),
      { numRuns: 40 }
    )
    expect(await booksOfAll()).toEqual([])
  })

  test("a finished execution never changes", async () => {
    await service.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* newOrganization(10)
        for (const first of ["complete", "fail", "cancel"] as const) {
          const executionId = yield* acceptRun(id, 1)
          if (executionId === undefined) throw new Error("it was refused")
          yield* end(executionId, first)
          const before = yield* sql`select * from executions where id = ${executionId}`
          for (const later of ["complete", "fail", "cancel"] as const) {
            expect(yield* end(executionId, later)).toBe(false)
          }
          expect(yield* sql`select * from executions where id = ${executionId}`).toEqual(before)
        }
      })
    )
  })
})

test("parallel runs of one organization never reserve more than it has", async () => {
  await service.run(
    Effect.gen(function* () {
      const { id } = yield* newOrganization(10)
      const accepted = yield* Effect.forEach(
        Array.from({ length: 20 }, () => 0.75),
        (cost) => acceptRun(id, cost),
        { concurrency: "unbounded" }
      )
      expect(accepted.filter((execution) => execution !== undefined)).toHaveLength(13)
      expect(yield* creditsOf(id)).toEqual({ balance: 0.25, reserved: 9.75 })
      yield* Effect.forEach(
        accepted,
        (execution) => (execution === undefined ? Effect.void : end(execution, "fail")),
        { concurrency: "unbounded", discard: true }
      )
      expect(yield* creditsOf(id)).toEqual({ balance: 10, reserved: 0 })
    })
  )
  expect(await booksOfAll()).toEqual([])
})
