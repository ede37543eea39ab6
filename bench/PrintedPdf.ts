import { hash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { chromium } from "playwright-core"

/** The Chromium that prints: `CHROMIUM`, or the system's. */
export const chromiumPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium"

const folder = `${tmpdir()}/docflow-printed`
const pathOf = (html: string): string => `${folder}/${hash("sha256", html).slice(0, 24)}.pdf`

/** Prints pages of HTML with one Chromium, which takes a second to start; pages that were printed before are kept. */
export const printPages = async (pages: ReadonlyArray<string>): Promise<void> => {
  const missing = pages.filter((html) => !existsSync(pathOf(html)))
  if (missing.length === 0) return
  mkdirSync(folder, { recursive: true })
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] })
  try {
    const page = await browser.newPage()
    const devTools = await page.context().newCDPSession(page)
    for (const html of missing) {
      await page.setContent(html)
      const options = { printBackground: true, preferCSSPageSize: true, generateTaggedPDF: true }
      const { data } = await devTools.send("Page.printToPDF", options)
      // Another process that prints the same page finds it whole or not at all.
      const part = `${pathOf(html)}.${process.pid}`
      writeFileSync(part, data, "base64")
      renameSync(part, pathOf(html))
    }
  } finally {
    await browser.close()
  }
}

/** A page of HTML as a PDF. Call `printPages` first where there are many. */
export const printedPdf = async (html: string): Promise<Uint8Array> => {
  await printPages([html])
  return readFileSync(pathOf(html))
}
