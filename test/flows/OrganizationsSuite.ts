import { describe, expect, it } from "vitest"
import { at, textAt } from "../support/Json.ts"
import { type Asked, fault, type ModelServer } from "../support/ModelServer.ts"
import type { Tenant, TestService } from "../support/TestService.ts"

interface Given {
  readonly service: () => TestService
  /** The server of `openai`, which the service asks with the key `of-the-installation`. */
  readonly models: () => ModelServer
  /** What was asked in this test. */
  readonly asked: () => ReadonlyArray<Asked>
  /** Runs a flow that asks a model once. */
  readonly run: (organization: Tenant) => Promise<unknown>
}

/** Keys and budgets of organizations. */
export const describeOrganizations = ({ asked, models, run, service }: Given): void => {
  const setModels = ({ id }: Tenant, body: object) =>
    service().admin("PUT", `/organizations/${id}/models`, body)

  describe("an organization", () => {
    it("asks with its own key, which is never read back, and others ask with the installation's", async () => {
      models().become(() => "A summary.")
      const [own, other] = [await service().tenant(), await service().tenant()]
      const key = "sk-the-organizations-own-key"
      const set = await setModels(own, { keys: { openai: key } })
      expect(set).toMatchObject({
        status: 200,
        body: { models: { keys: ["openai"], tokensPerMonth: null } }
      })
      await run(own)
      await run(other)
      expect(asked().map(({ headers }) => headers.authorization)).toEqual([
        `Bearer ${key}`,
        "Bearer of-the-installation"
      ])
      models().become(() => fault.status(401))
      expect(textAt(await run(own), "error.message")).toMatch(/Set the organization's key for openai/u)

      const stored = await service().rows("select sealed from model_keys")
      const { text } = await service().admin("GET", `/organizations/${own.id}`)
      const audit = await service().admin("GET", `/audit?organizationId=${own.id}`)
      expect(audit.text).toContain("key for openai set")
      for (const shown of [set.text, text, audit.text, JSON.stringify(stored), service().logs.join("")])
        expect(shown).not.toContain(key)

      models().become(() => "A summary.")
      await setModels(own, { keys: { openai: null } })
      await run(own)
      expect(asked().at(-1)?.headers.authorization).toBe("Bearer of-the-installation")
    })

    it("cannot set a key at a provider that is not configured", async () => {
      const own = await service().tenant()
      for (const [name, key] of [
        ["opanai", "sk-1"],
        ["\0", null]
      ] as const) {
        const { body, status } = await setModels(own, { keys: { [name]: key }, tokensPerMonth: 5 })
        expect([status, textAt(body, "error.message")]).toEqual([
          422,
          `There is no provider ${name}; use one of ollama, openai, anthropic`
        ])
      }
      expect(await service().admin("GET", `/organizations/${own.id}`)).toMatchObject({
        body: { models: { tokensPerMonth: null, keys: [] } }
      })
    })

    it("stops before it exceeds its budget of tokens, and others go on", async () => {
      models().become(() => "A summary.")
      const [frugal, other] = [await service().tenant(), await service().tenant()]
      const budget = 4000
      await setModels(frugal, { tokensPerMonth: budget })
      const all = await Promise.all(Array.from({ length: 30 }, () => run(frugal)))
      const failed = all.filter((one) => textAt(one, "status") === "failed")
      const used = asked().length * 150
      expect(used).toBeLessThanOrEqual(budget)
      expect(asked().length).toBe(all.length - failed.length)
      expect(textAt(failed[0], "error.message")).toMatch(
        /may use 4000 tokens in a month; \d+ are used or reserved .* Raise the organization's budget/u
      )
      const { body } = await service().admin("GET", `/organizations/${frugal.id}`)
      expect(at(body, "models")).toEqual({ tokensPerMonth: budget, tokensThisMonth: used, keys: [] })

      expect(await run(other)).toMatchObject({ status: "completed" })
      await setModels(frugal, { tokensPerMonth: null })
      expect(await run(frugal)).toMatchObject({ status: "completed" })
      const { text } = await service().request("GET", "/metrics")
      expect(text).toMatch(new RegExp(`model_tokens_total\\{[^}]*organization="${frugal.id}"[^}]*\\}`, "u"))
    })
  })
}
