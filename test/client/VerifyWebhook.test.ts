import { describe, expect, it } from "vitest"
import { Redacted } from "effect"
import { verifyWebhook, WebhookRefused } from "../../src/client/VerifyWebhook.ts"
import { attemptHeaders, webhookBody } from "../../src/services/webhooks/Attempt.ts"

const secret = "my secret 🔑"
const execution = {
  id: "exec_1",
  flowId: "text",
  version: "1.0.0",
  status: "completed",
  createdAt: "2026-11-01T00:00:00.000Z",
  output: { text: "Zoë" }
} as const

/** A webhook as the service sent it, a number of seconds ago. */
const sent = (age = 0, key = secret) => {
  const at = new Date(Date.now() - age * 1000)
  const body = webhookBody("execution.completed", execution, at)
  return { body, headers: attemptHeaders({ id: "dlv_1", at, body }, Redacted.make(key)) }
}

const without = (headers: Record<string, string>, ...names: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

const reasonOf = (verify: () => unknown): string => {
  try {
    verify()
  } catch (error) {
    return error instanceof WebhookRefused ? error.reason : String(error)
  }
  return "accepted"
}

describe("verifyWebhook", () => {
  it("reads what the service has sent", () => {
    const { body, headers } = sent()
    expect(verifyWebhook(body, headers, secret)).toMatchObject({
      id: "dlv_1",
      type: "execution.completed",
      data: execution
    })
  })

  it("refuses everything if the secret is empty, because anybody could have signed", () => {
    const { body, headers } = sent(0, "")
    expect(reasonOf(() => verifyWebhook(body, headers, ""))).toBe("wrong signature")
    expect(reasonOf(() => verifyWebhook(body, without(headers, "webhook-signature"), ""))).toBe(
      "wrong signature"
    )
  })

  it.each([
    ["Headers of fetch", (headers: Record<string, string>) => new Headers(headers)],
    [
      "names in capitals",
      (headers: Record<string, string>) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    ],
    [
      "lists of values",
      (headers: Record<string, string>) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    ]
  ])("takes %s", (_, as) => {
    const { body, headers } = sent()
    expect(verifyWebhook(body.toString(), as(headers), secret).id).toBe("dlv_1")
  })

  it("takes a secret of any form", () => {
    for (const key of ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "c2VjcmV0", "x"]) {
      const { body, headers } = sent(0, key)
      expect(verifyWebhook(body, headers, key).id).toBe("dlv_1")
    }
  })

  it("makes do with X-Service-Signature, and then knows no id", () => {
    const { body, headers } = sent()
    const plain = without(headers, "webhook-signature")
    expect(verifyWebhook(body, plain, secret).id).toBe(undefined)
    expect(verifyWebhook(body, plain, secret).data.output).toEqual({ text: "Zoë" })
  })

  it("refuses another secret, another body, another id or time, and no signature", () => {
    const { body, headers } = sent()
    const other = Buffer.from(body.toString().replace("Zoë", "Eve"))
    const plain = without(headers, "webhook-signature")
    expect(reasonOf(() => verifyWebhook(body, headers, "other"))).toBe("wrong signature")
    expect(reasonOf(() => verifyWebhook(body, plain, "other"))).toBe("wrong signature")
    expect(reasonOf(() => verifyWebhook(other, headers, secret))).toBe("wrong signature")
    expect(reasonOf(() => verifyWebhook(other, plain, secret))).toBe("wrong signature")
    for (const [name, value] of [
      ["webhook-id", "dlv_2"],
      ["webhook-timestamp", "1"],
      ["webhook-signature", "v1,"],
      ["webhook-signature", ""]
    ] as const) {
      expect(reasonOf(() => verifyWebhook(body, { ...headers, [name]: value }, secret))).toBe(
        "wrong signature"
      )
    }
    expect(
      reasonOf(() =>
        verifyWebhook(body, without(headers, "webhook-signature", "X-Service-Signature"), secret)
      )
    ).toBe("unsigned")
    expect(reasonOf(() => verifyWebhook(body, {}, secret))).toBe("unsigned")
  })

  it("refuses what is older than 300 seconds or from the future, by either signature", () => {
    for (const drop of [[], ["webhook-signature"]]) {
      const at = (age: number, options = {}) => {
        const { body, headers } = sent(age)
        return reasonOf(() => verifyWebhook(body, without(headers, ...drop), secret, options))
      }
      expect(at(290)).toBe("accepted")
      expect(at(310)).toBe("too old")
      expect(at(-310)).toBe("too new")
      expect(at(310, { tolerance: 3600 })).toBe("accepted")
    }
  })

  it("refuses a signed body that is no webhook", () => {
    const body = Buffer.from(`{"type":"something.else"}`)
    const headers = attemptHeaders({ id: "dlv_1", at: new Date(), body }, Redacted.make(secret))
    expect(reasonOf(() => verifyWebhook(body, headers, secret))).toBe("not a webhook")
  })
})
