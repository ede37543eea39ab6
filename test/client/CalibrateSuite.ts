import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { DocflowClient, documentOf } from "../../src/client/index.ts"
import { runHere } from "../support/CommandLine.ts"
import { at, listAt, numberAt } from "../support/Json.ts"
import { adminToken, type useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const confirmed = ["/invoiceNumber", "/invoiceDate", "/currency", "/vendorName", "/dueDate"]

/** `docflow calibrate` against a running service, with corrections of eleven documents. */
export const calibrateSuite = (service: ReturnType<typeof useService>) => {
  const calibrate = async (line: string) => {
    const settings = { DOCFLOW_URL: service.it.address, DOCFLOW_ADMIN_TOKEN: adminToken }
    return runHere(settings, ...`calibrate invoice ${line}`.trim().split(" "))
  }

  /** The same corrected execution of as many issuers: what is compared is not what they say. */
  const copy = async (id: string, times: number) => {
    const numbers = `generate_series(1, ${times}) n`
    const of = (table: string, key: string, more = "") =>
      `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('${key}', t.${key} || '_' || n ${more}))).*
       from ${table} t, ${numbers} where t.${key} = '${id}'`
    await service.it.rows(of("executions", "id"))
    const issued = ", 'fields', replace(t.fields::text, 'Paper Supply', 'Paper Supply ' || n)::json"
    await service.it.rows(of("corrections", "execution_id", issued))
    await service.it.rows(of("step_results", "execution_id"))
  }

  describe("docflow calibrate", () => {
    it("stores nothing that does not help, and names a flow that does not exist", async () => {
      const { id, test } = await service.it.tenant()
      const client = new DocflowClient({ apiKey: test, baseUrl: `${service.it.address}/api/v1/` })
      const document = documentOf(await readFile("examples/invoice.pdf"))
      const { id: execution } = await client.runToEnd("invoice", { input: { document } })
      await client.saveCorrections(execution, { ifMatch: 0, confirmed: [...confirmed, "/totalAmount"] })
      const ofThem = `--organization ${id} --environment test`
      await copy(execution, 10)
      const further = "For issuers that were left out, the confidences would not come closer to the truth"
      expect((await calibrate(ofThem)).out).toContain(`Nothing was stored. ${further}`)
      const refused = await calibrate(`${ofThem} --write`)
      expect(refused.error).toContain(`Nothing was stored. ${further}`)
      const { body } = await service.it.admin("GET", "/audit?limit=1")
      expect(listAt(body, "entries")).not.toMatchObject([{ action: "flow.calibrated" }])
      expect((await calibrate(`${ofThem} --flow-version 9.9.9`)).error).toContain(
        "Version not found: invoice 9.9.9"
      )
    })

    it("compares corrections with confidences, and stores a calibration only when told to", async () => {
      const { id, test } = await service.it.tenant()
      const client = new DocflowClient({ apiKey: test, baseUrl: `${service.it.address}/api/v1/` })
      const ofThem = `--organization ${id} --environment test`
      const invoice = documentOf(await readFile("examples/invoice.pdf"))
      const run = () => client.runToEnd("invoice", { input: { document: invoice } })
      const first = await run()
      const values = [{ path: "/totalAmount", value: 12.5 }]
      await client.saveCorrections(first.id, { ifMatch: 0, values, confirmed })
      expect((await calibrate(ofThem)).error).toContain(
        "6 values with a confidence from 1 document of 1 issuer"
      )
      await copy(first.id, 10)

      const shown = await calibrate(ofThem)
      expect(shown.out).toContain("66 values of 11 documents, 11 of them corrected")
      expect(shown.out).toContain("Nothing was stored")
      const others = `--organization ${(await service.it.tenant()).id} --environment test`
      expect((await calibrate(others)).error).toContain("0 values")
      const later = await run()
      const stated = async (execution: string) =>
        at((await client.get(execution, { include: ["artifacts"] })).artifacts, "fields.fields.invoiceNumber")
      expect(at(await stated(later.id), "score")).toBe(undefined)

      expect((await calibrate(`${ofThem} --write`)).out).toContain("The calibration is stored")
      const { body } = await service.it.admin("GET", "/audit?limit=1")
      expect(listAt(body, "entries")).toMatchObject([{ action: "flow.calibrated" }])
      const evidence = await until("the calibration to be applied", async () => {
        const found = await stated((await run()).id)
        return at(found, "score") === undefined ? undefined : found
      })
      expect(numberAt(evidence, "confidence")).toBeLessThan(numberAt(evidence, "score"))
    })
  })
}
