import { beforeAll, describe, expect, test } from "vitest"
import { cii, eInvoiceOf, ubl, withFiles } from "../fixtures/EInvoices.ts"
import { exampleInvoice, makeInvoice } from "../fixtures/Invoices.ts"
import { base64 } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})

const run = (bytes: Uint8Array, mimeType?: string) =>
  service.it.call("POST", "/flows/invoice/run", {
    key: tenant.live,
    body: { wait: true, timeout: 60_000, input: { document: { base64: base64(bytes), mimeType } } }
  })

const evidence = async (id: string) => {
  const { body } = await service.it.call("GET", `/runs/${id}?include=artifacts`, { key: tenant.live })
  return at(body, "artifacts.fields.fields")
}

const printed = makeInvoice(exampleInvoice)

describe("electronic invoices over HTTP", () => {
  test.each(["application/xml", "text/xml", undefined])(
    "UBL that is uploaded by itself as %s is read by the flow",
    async (mimeType) => {
      const { expected } = await printed
      const data = { ...eInvoiceOf(expected), typeCode: "381" }
      const { body, status } = await run(Buffer.from(ubl(data)), mimeType)
      expect([status, textAt(body, "status"), textAt(body, "version")]).toEqual([200, "completed", "1.0.0"])
      expect(at(body, "output")).toEqual({ documentType: "credit-note", ...expected, warnings: [] })
      expect(at(await evidence(textAt(body, "id")), "totalAmount")).toMatchObject({
        by: "embedded",
        status: "grounded",
        path: "/CreditNote/LegalMonetaryTotal/TaxInclusiveAmount",
        page: 1
      })
    }
  )

  test("Factur-X in a PDF comes first; where the page disagrees, the answer warns", async () => {
    const { bytes, expected } = await printed
    const data = { ...eInvoiceOf(expected), number: "R-2026-1" }
    const pdf = await withFiles(bytes, [{ name: "factur-x.xml", content: cii(data) }])
    const { body } = await run(pdf)
    expect(at(body, "output")).toMatchObject({ ...expected, invoiceNumber: "R-2026-1" })
    const warnings = listAt(body, "output.warnings")
    expect(warnings).toHaveLength(1)
    expect(String(warnings[0])).toContain(`"${expected.invoiceNumber}"`)
    expect(at(await evidence(textAt(body, "id")), "invoiceDate")).toMatchObject({
      by: "embedded",
      attachment: "factur-x.xml",
      path: "/CrossIndustryInvoice/ExchangedDocument/IssueDateTime",
      page: 1
    })
  })

  test("a PDF whose attached file is hostile is read all the same", async () => {
    const { bytes, expected } = await printed
    const content = `<!DOCTYPE x [<!ENTITY a "b">]><CrossIndustryInvoice>&a;</CrossIndustryInvoice>`
    const { body } = await run(await withFiles(bytes, [{ name: "factur-x.xml", content }]))
    expect(at(body, "output")).toEqual({
      documentType: "invoice",
      ...expected,
      warnings: [
        "The attached file factur-x.xml was not read: The document contains a document type declaration, which is not allowed."
      ]
    })
  })

  test("other XML is no document that is read, and the answer names what it is", async () => {
    const answer = await run(Buffer.from('<?xml version="1.0"?><feed><entry/></feed>'), "text/xml")
    expectError(answer, 422, "INVALID_DOCUMENT")
    expect(textAt(answer.body, "error.message")).toContain("its root element is <feed>")
  })
})
