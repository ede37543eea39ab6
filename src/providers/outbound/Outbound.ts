import { Context, type Effect, Schema, type Scope } from "effect"
import type { Environment } from "../../domain/Organization.ts"

/** The request is refused: docflow must not reach the address of the URL, or a secret is not set. */
export class OutboundRefused extends Schema.TaggedError<OutboundRefused>()("OutboundRefused", {
  reason: Schema.String
}) {}

/** There was no answer, or it was incomplete; the reason contains nothing that was received. */
export class OutboundFailed extends Schema.TaggedError<OutboundFailed>()("OutboundFailed", {
  reason: Schema.String
}) {}

/**
 * A header: a string, or a secret, which only the adapter reads, from the environment variable
 * `DOCFLOW_SECRET_<secret>`.
 */
export type OutboundHeader = string | { readonly secret: string; readonly prefix: string }

/** A request to an external server. */
export interface OutboundRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  /** Test keys may also use `http:` and loopback. */
  readonly environment: Environment
  readonly headers: { readonly [name: string]: OutboundHeader }
  readonly body?: Uint8Array
}

/** The head of a response. */
export interface OutboundAnswer {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** Reads the body up to a number of bytes; beyond them the connection is closed, and `isWhole` is false. */
  read(mostBytes: number): Effect.Effect<OutboundBody, OutboundFailed>
}

export interface OutboundBody {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

/**
 * Sends all requests of flows and webhooks to other hosts: to public addresses only, which are checked after name
 * resolution and pinned for the connection, without following redirects. The caller sets time limits.
 */
export class Outbound extends Context.Service<
  Outbound,
  {
    /**
     * Sends a request and waits for the head of the response. The end of the scope, and interruption, close the
     * connection.
     */
    send(
      request: OutboundRequest
    ): Effect.Effect<OutboundAnswer, OutboundRefused | OutboundFailed, Scope.Scope>
  }
>()("docflow/providers/Outbound") {}
