import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { createServer } from "node:http"

/** Headers must have arrived after this time, in milliseconds. */
const headersTimeout = 5_000
/** A whole request must have arrived after this time, in milliseconds. */
const requestTimeout = 60_000

/** Where to listen. */
export interface Listen {
  readonly host: string
  readonly port: number
}

/** Plain HTTP, for loopback or behind a proxy. */
export const layer = (listen: Listen) =>
  NodeHttpServer.layer(
    () => createServer({ headersTimeout, requestTimeout, connectionsCheckingInterval: 1_000 }),
    { ...listen, gracefulShutdownTimeout: "10 seconds" }
  )
