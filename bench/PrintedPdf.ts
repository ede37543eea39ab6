import { execFileSync } from "node:child_process"
import { hash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"

/** A page of HTML as a PDF that Chromium prints (`CHROMIUM`, or the program of that name), made once and kept. */
export const printedPdf = (html: string): Uint8Array => {
  const folder = `${tmpdir()}/docflow-printed`
  mkdirSync(folder, { recursive: true })
  const path = `${folder}/${hash("sha256", html).slice(0, 24)}`
  if (!existsSync(`${path}.pdf`)) {
    writeFileSync(`${path}.html`, html)
    execFileSync(
      process.env["CHROMIUM"] ?? "chromium",
      [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-pdf-header-footer",
        `--print-to-pdf=${path}.pdf`,
        `${path}.html`
      ],
      { stdio: "ignore" }
    )
  }
  return readFileSync(`${path}.pdf`)
}
