import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, FileSystem, Layer, Schema } from "effect"
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse
} from "node:http"
import { createServer as createSecureServer } from "node:https"
import { answerNoRequest } from "./NoRequest.ts"
import { answerWhileNotServing } from "./WhileNotServing.ts"

/** The certificate or its key cannot be used. */
export class TlsFailure extends Schema.TaggedError<TlsFailure>()("TlsFailure", { message: Schema.String }) {}

/** Where to listen. */
export interface Listen {
  readonly host: string
  readonly port: number
}

/** Files in PEM. */
export interface TlsFiles {
  readonly certificate: string
  readonly key: string
}

/** Slow senders are cut: headers must have arrived after 5 s, the whole request after 60 s. In milliseconds. */
const limits: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 8_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // RequestContext refuses it instead: Node.js would answer without the envelope.
  requireHostHeader: false,
  // Two Authorization headers are one that is wrong, instead of the first one that is taken and another that is not seen.
  joinDuplicateHeaders: true
}
/** Connections open at once; more wait in the kernel's queue. */
const maxConnections = 2_000

/** What both kinds of server do alike. */
const set = <S extends Server>(server: S): S => {
  answerWhileNotServing(server)
  return (
    Object.assign(server, { maxConnections })
      .on("clientError", answerNoRequest)
      // Not everything that a client may expect of a server is known: what is not is no reason to refuse it.
      .on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
        server.emit("request", request, response)
      })
  )
}

const gracefulShutdownTimeout = "10 seconds"

/** Plain HTTP, for loopback or behind a proxy. */
export const layer = (listen: Listen) =>
  NodeHttpServer.layer(() => set(createServer(limits)), {
    ...listen,
    gracefulShutdownTimeout
  })

/** HTTPS. */
export const layerTls = (listen: Listen, files: TlsFiles) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const read = (file: string) =>
        Effect.mapError(fs.readFile(file), () => new TlsFailure({ message: `${file} cannot be read` }))
      const cert = Buffer.from(yield* read(files.certificate))
      const key = Buffer.from(yield* read(files.key))
      const server = yield* Effect.try({
        try: () => set(createSecureServer({ ...limits, cert, key })),
        catch: () =>
          new TlsFailure({
            message: `${files.certificate} and ${files.key} are not a certificate and its key in PEM`
          })
      })
      return NodeHttpServer.layer(() => server, { ...listen, gracefulShutdownTimeout })
    })
  )
