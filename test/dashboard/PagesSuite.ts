import { readFile } from "node:fs/promises"
import sharp from "sharp"
import { beforeAll, describe, expect, it } from "vitest"
import { base64, runOf } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import type { Shared } from "./Shared.ts"

/** The pictures and texts of pages, by the API. */
export const describePictures = (service: Shared): void => {
  describe("the pages of an execution's document", () => {
    let tenant: Tenant
    let id: string
    const get = (path: string, key = tenant.live) => service.it.call("GET", `/runs/${id}${path}`, { key })
    const picture = async (query = "") => {
      const response = await fetch(`${service.it.address}/api/v1/runs/${id}/pages/1/picture${query}`, {
        headers: { authorization: `Bearer ${tenant.live}` }
      })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }

    beforeAll(async () => {
      tenant = await service.it.tenant()
      const document = { base64: base64(await readFile("examples/invoice.pdf")), filename: "invoice.pdf" }
      const run = await service.it.call("POST", "/flows/invoice/run", {
        key: tenant.live,
        body: { wait: true, timeout: 60_000, input: { document } }
      })
      id = textAt(run.body, "id")
    })

    it("are listed with their sizes", async () => {
      const { body, status } = await get("/pages")
      expect(status).toBe(200)
      expect(body).toEqual({
        pageCount: 1,
        hasPictures: true,
        pages: [{ page: 1, width: 612, height: 792 }],
        attachments: []
      })
    })

    it("have pictures in colour, of the size that is asked for", async () => {
      const { bytes, response } = await picture("?side=400")
      expect(response.headers.get("content-type")).toBe("image/webp")
      expect(await sharp(bytes).metadata()).toMatchObject({
        format: "webp",
        width: 309,
        height: 400,
        channels: 3
      })
      expect(await sharp((await picture()).bytes).metadata()).toMatchObject({ height: 1600 })
    })

    it("have a text layer whose words are dark in the picture where their boxes say", async () => {
      const { body } = await get("/pages/1")
      const words = listAt(body, "lines").flatMap((line) => listAt(line, "words"))
      expect(words.length).toBeGreaterThan(20)
      const page = sharp((await picture("?side=1600")).bytes)
      const scale = 1600 / Number(at(body, "height"))
      for (const word of words.slice(0, 20)) {
        const box = (side: string) => Math.max(1, Math.round(Number(at(word, `bbox.${side}`)) * scale))
        const part = { left: box("x"), top: box("y"), width: box("w"), height: box("h") }
        const { channels } = await sharp(await page.clone().extract(part).toBuffer()).stats()
        expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(10)
      }
    })

    it("say where the fields are that were found, cells of tables too", async () => {
      const { body } = await get("/pages/1")
      const { body: run } = await get("?include=artifacts")
      const found = at(run, "artifacts.fields.fields.totalAmount.bbox")
      const places = listAt(body, "places")
      expect(places).toContainEqual({ step: "fields", field: "totalAmount", bbox: found })
      expect(places).toContainEqual(
        expect.objectContaining({ step: "fields", field: "lineItems", row: 0, column: "amount" })
      )
    })

    it("of a long document are parsed one by one, and hold what the step read", async () => {
      const body = await runOf({ wait: true, pages: 12 })
      const run = await service.it.call("POST", "/flows/invoice/run", { key: tenant.live, body })
      const long = (path: string) =>
        service.it.call("GET", `/runs/${textAt(run.body, "id")}${path}`, { key: tenant.live })
      const { body: whole } = await long("?include=artifacts")
      const read = listAt(whole, "artifacts.read.documentIR.pages")
      // So much is stored outside the record of the step.
      expect(JSON.stringify(read).length).toBeGreaterThan(100_000)
      const { body: sizes } = await long("/pages")
      expect(listAt(sizes, "pages")).toEqual(
        read.map((page, index) => ({ page: index + 1, width: at(page, "width"), height: at(page, "height") }))
      )
      for (const [index, page] of read.entries()) {
        const { body: text } = await long(`/pages/${index + 1}`)
        expect(listAt(text, "lines").map((line) => textAt(line, "text"))).toEqual(
          listAt(page, "lines").map((line) => textAt(line, "text"))
        )
      }
    })

    it("are refused beyond the last one, and in sizes that nobody can look at", async () => {
      for (const path of [
        "/pages/2",
        "/pages/2/picture",
        "/pages/0",
        "/pages/x",
        "/pages/1/picture?side=9999"
      ]) {
        expectError(await get(path), 400, "INVALID_INPUT")
      }
    })

    it("are gone once the execution is erased, also those that were shown before", async () => {
      expect((await get("/pages/1/picture")).status).toBe(200)
      expect((await service.it.admin("DELETE", `/executions/${id}`)).status).toBe(200)
      for (const path of ["/pages", "/pages/1", "/pages/1/picture"]) {
        expectError(await get(path), 404, "EXECUTION_NOT_FOUND")
      }
    })
  })
}
