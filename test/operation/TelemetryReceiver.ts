import { createServer } from "node:http"

/** Receives what the service exports over OTLP, as text. */
export interface TelemetryReceiver {
  readonly url: string
  /** Everything that came to a path like `/v1/traces`, one text a request. */
  readonly received: (path: string) => ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** Starts a receiver of OTLP over HTTP with JSON on a free port of loopback. */
export const startTelemetryReceiver = async (): Promise<TelemetryReceiver> => {
  const bodies = new Map<string, Array<string>>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const path = request.url ?? ""
      bodies.set(path, [...(bodies.get(path) ?? []), Buffer.concat(chunks).toString()])
      response.setHeader("content-type", "application/json").end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    received: (path) => bodies.get(path) ?? [],
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
}
