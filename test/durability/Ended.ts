import { assert } from "@effect/vitest"
import type { ServiceProcess, Tenant } from "./ServiceProcess.ts"

/** So long that only what never ends is not waited for, in milliseconds. */
const patience = 110_000

/** Waits until every execution of a tenant has ended, looking every 100 ms; false when `limitMs` passes first. */
export const allEnded = async (
  service: ServiceProcess,
  { organizationId }: Tenant,
  limitMs: number = patience
): Promise<boolean> => {
  const until = Date.now() + limitMs
  const count = async (status: string) => {
    const path = `/api/admin/v1/organizations/${organizationId}/executions?status=${status}`
    return (await service.call("GET", path)).body.total
  }
  while (Date.now() < until) {
    // One after the other: an execution that becomes running between the two counts is found by the second.
    if ((await count("pending")) === 0 && (await count("running")) === 0) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

/** Every one of these executions completed, was charged once, and nothing is reserved any more. */
export const assertChargedOnce = async (
  service: ServiceProcess,
  { organizationId }: Tenant,
  executions: ReadonlyArray<string>,
  creditsEach: number
): Promise<void> => {
  const ended = await service.call(
    "GET",
    `/api/admin/v1/organizations/${organizationId}/executions?limit=100`
  )
  const others = ended.body.executions.filter(({ status }) => status !== "completed")
  assert.deepStrictEqual(others, [], "everything completed")
  assert.strictEqual(ended.body.total, executions.length)
  const organization = await service.call("GET", `/api/admin/v1/organizations/${organizationId}`)
  assert.strictEqual(organization.body.credits.reserved, 0)
  const ledger = await service.call("GET", `/api/admin/v1/organizations/${organizationId}/ledger`)
  const { entries } = ledger.body
  const charges = entries.filter((entry) => entry.kind === "charge")
  assert.deepStrictEqual(
    charges.map((entry) => entry.executionId).sort(),
    [...executions].sort(),
    "each execution is charged exactly once"
  )
  assert.isTrue(charges.every((entry) => entry.amount === -creditsEach))
  const sum = entries.reduce((total, entry) => total + entry.amount, 0)
  assert.strictEqual(sum, organization.body.credits.balance)
}
