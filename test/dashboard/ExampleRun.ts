import { readFile } from "node:fs/promises"
import { base64 } from "../support/Documents.ts"
import type { Tenant } from "../support/TestService.ts"
import type { Shared } from "./Shared.ts"

/** Runs the flow `invoice` on the example that ships; the execution when it has ended. */
export const exampleRun = async (service: Shared, { live }: Tenant) => {
  const document = { base64: base64(await readFile("examples/invoice.pdf")), filename: "invoice.pdf" }
  const body = { wait: true, timeout: 60_000, input: { document } }
  return (await service.it.call("POST", "/flows/invoice/run", { key: live, body })).body
}
