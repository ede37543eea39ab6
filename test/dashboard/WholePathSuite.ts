import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { at, listAt, textAt } from "../support/Json.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import { boxes, letter } from "./Letters.ts"
import type { Shared } from "./Shared.ts"
import { newLink } from "./SignIn.ts"

/** Runs in the browser: what a person drops who drags a PDF of these bytes, in base64. */
const droppedFiles = (bytes: string): string => `{
  const files = new DataTransfer()
  const data = Uint8Array.from(atob("${bytes}"), (char) => char.codePointAt(0))
  files.items.add(new File([data], "letter.pdf", { type: "application/pdf" }))
  files
}`

/** Runs in the browser: where the place of a field is on the screen, without its border. */
const boxOnScreen = (field: string): string => `{
  const rectangle = document.querySelector('.place[data-field="${field}"]')
  const { a, d, e, f } = rectangle.getScreenCTM()
  const { height, width, x, y } = rectangle.getBBox()
  const box = { x: x * a + e, y: y * d + f, w: width * a, h: height * d }
  box
}`

/** The way of a document in the browser, from the drop to what the next one of its layout gains. */
export const describeWholePath = (service: Shared, browser: { readonly it: Browser }): void => {
  it.skipIf(!hasChromium)(
    "goes the whole way in the browser: dropped, corrected by drawing, saved as case and example, and the next document right",
    async () => {
      const other = await service.it.tenant()
      const page = await browser.it.open()
      await page.goto(await newLink(service.it))
      await page.getByRole("link", { name: "docflow" }).waitFor()
      const drop = async (document: string) => {
        await page.goto(`${service.it.address}/dashboard/organizations/${other.id}/try`)
        await page.getByLabel("Flow", { exact: true }).selectOption("learner")
        const dataTransfer = await page.evaluateHandle(droppedFiles(document))
        await page.locator(".drop").dispatchEvent("drop", { dataTransfer })
        await page.waitForURL("**/executions/*")
        await page.getByRole("status").getByText("completed").waitFor()
        return page.url().split("/").at(-1) ?? ""
      }
      const field = page.locator(".field-row").filter({ hasText: "caseCode" })
      const sheet = async (id: string) => {
        const { body } = await service.it.call("GET", `/runs/${id}/pages/1`, { key: other.live })
        await page.locator(".sheet img").scrollIntoViewIfNeeded()
        const picture = await page.locator(".sheet img").boundingBox()
        if (picture === null) throw new Error("the page is not there")
        return { ...picture, scale: picture.width / Number(at(body, "width")) }
      }

      const place = page.locator('.place[data-field="caseCode"]')
      const margin = 2
      /** The box of the field on the screen is that of the page, in points, within two pixels. */
      const expectPlace = async (id: string, side: (of: "x" | "y" | "w" | "h") => number) => {
        await place.waitFor({ state: "attached" })
        const shown = await sheet(id)
        const box: unknown = await page.evaluate(boxOnScreen("caseCode"))
        for (const [is, wanted] of [
          [at(box, "x"), shown.x + (side("x") - margin) * shown.scale],
          [at(box, "y"), shown.y + (side("y") - margin) * shown.scale],
          [at(box, "w"), (side("w") + 2 * margin) * shown.scale],
          [at(box, "h"), (side("h") + 2 * margin) * shown.scale]
        ])
          expect(Math.abs(Number(is) - Number(wanted))).toBeLessThan(2)
      }

      const dropped = await drop(await letter("KX Sierra 7", "1.204,50 EUR", "03/04/2026"))
      await field.locator(".field-button").click()
      await page.getByRole("button", { name: "Draw" }).click()
      const { scale, x, y } = await sheet(dropped)
      const { caseCode: drawn } = boxes
      await page.mouse.move(x + drawn.x * scale, y + drawn.y * scale)
      await page.mouse.down()
      await page.mouse.move(x + (drawn.x + drawn.w) * scale, y + (drawn.y + drawn.h) * scale, { steps: 3 })
      await page.mouse.up()
      await field.getByText("KX Sierra 7").first().waitFor()
      await field.getByText("corrected").first().waitFor()
      await expectPlace(dropped, (of) => drawn[of])
      const asked = page.waitForEvent("download")
      await page.getByRole("button", { name: "Download as test case" }).click()
      expect(await readFile(await (await asked).path(), "utf8")).toContain("caseCode: KX Sierra 7")
      await page.goto(`${service.it.address}/dashboard/organizations/${other.id}/examples`)
      await page.getByRole("row").filter({ hasText: "letter.pdf" }).getByText("1 field").waitFor()

      const next = await drop(await letter("BB Tango 12", "88,10 EUR", "05/06/2026"))
      await field.getByText("BB Tango 12").first().waitFor()
      const { body } = await service.it.call("GET", `/runs/${next}?include=artifacts`, { key: other.live })
      await expectPlace(next, (of) => Number(at(body, `artifacts.fields.fields.caseCode.bbox.${of}`)))

      // A value that is typed is where it is printed so; the place of the one that was wrong is not its place.
      await field.locator(".field-button").click()
      await page.keyboard.press("F2")
      await page.getByLabel("Value of caseCode").fill("Settlement advice")
      await page.keyboard.press("Enter")
      await field.getByText("corrected").first().waitFor()
      const { body: text } = await service.it.call("GET", `/runs/${next}/pages/1`, { key: other.live })
      const words = listAt(text, "lines").flatMap((line) => listAt(line, "words"))
      const [first, second] = words.filter((word) => ["Settlement", "advice"].includes(textAt(word, "text")))
      const from = (of: string) => Number(at(first, `bbox.${of}`))
      await expectPlace(next, (of) =>
        of === "w" ? Number(at(second, "bbox.x")) + Number(at(second, "bbox.w")) - from("x") : from(of)
      )
      await page.context().close()
    }
  )
}
