import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasChromium, useBrowser } from "../dashboard/Browser.ts"
import { pdf } from "../support/Documents.ts"
import { TestService } from "../support/TestService.ts"

const name = hasChromium ? "in a browser" : "in a browser (skipped: no /usr/bin/chromium)"

/** What a page does with the client; its title says what it saw. */
const program = (options: object, document: string): string => `
  import { DocflowClient, responseOf } from "/index.js"
  const client = new DocflowClient(${JSON.stringify(options)})
  const ended = await client.runToEnd("greet", { input: { document: { base64: "${document}" } } })
  const events = []
  for await (const { event } of client.events(ended.id)) events.push(event)
  const refused = await client.get("exec_none").catch((error) => error)
  const { requestId, rate } = responseOf(ended)
  window.document.title = JSON.stringify({
    status: ended.status,
    last: events.at(-1),
    refused: [refused.code, refused.status],
    told: [typeof requestId, typeof refused.requestId, typeof rate.remaining]
  })`

/** The client on a page of another origin; `folder` has the modules of its package. */
export const inBrowserSuite = (folder: () => string): void => {
  describe.skipIf(!hasChromium)(name, () => {
    const browser = useBrowser()
    let html = ""
    const pages = createServer(({ url = "/" }, response) => {
      readFile(join(folder(), "dist", url)).then(
        (module) => response.writeHead(200, { "content-type": "text/javascript" }).end(module),
        () => response.writeHead(200, { "content-type": "text/html" }).end(html)
      )
    })
    let origin: string
    let service: TestService
    beforeAll(async () => {
      const { port } = await new Promise<AddressInfo>((resolve, reject) => {
        pages.listen(0, "127.0.0.1", () => {
          const address = pages.address()
          if (typeof address === "object" && address !== null) resolve(address)
          else reject(new Error("the server has no port"))
        })
      })
      origin = `http://127.0.0.1:${port}`
      service = await TestService.start({ DOCFLOW_CORS_ORIGINS: origin })
    })
    afterAll(async () => {
      pages.close()
      pages.closeAllConnections()
      await service.stop()
    })

    it("runs, follows and reads an execution of a service of another origin, and says what was refused", async () => {
      const { live } = await service.tenant()
      const script = program({ apiKey: live, baseUrl: service.address }, await pdf(1))
      html = `<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`
      const page = await browser.it.open()
      await page.goto(origin)
      await page.waitForFunction('document.title !== ""')
      expect(JSON.parse(await page.title())).toEqual({
        status: "completed",
        last: "execution.completed",
        refused: ["EXECUTION_NOT_FOUND", 404],
        told: ["string", "string", "number"]
      })
      browser.it.forgive(/404/u)
      expect(browser.it.watched.errors).toEqual([])
    })
  })
}
