import { Context, type Effect, Schema, type Scope } from "effect"
import type { Environment } from "../../domain/Organization.ts"

/** Nothing is sent there: the URL means a place that docflow must not reach, or a secret is not set. */
export class OutboundRefused extends Schema.TaggedError<OutboundRefused>()("OutboundRefused", {
  reason: Schema.String
}) {}

/** No answer came, or not all of it; the reason holds nothing of what was sent back. */
export class OutboundFailed extends Schema.TaggedError<OutboundFailed>()("OutboundFailed", {
  reason: Schema.String
}) {}

/** A header: a string, or a secret that only the adapter reads, from the environment variable `DOCFLOW_SECRET_<secret>`. */
export type OutboundHeader = string | { readonly secret: string; readonly prefix: string }

/** A request to a server that somebody else runs. */
export interface OutboundRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  /** Test keys may also use `http:` and loopback. */
  readonly environment: Environment
  readonly headers: { readonly [name: string]: OutboundHeader }
  readonly body?: Uint8Array
}

/** The beginning of an answer. */
export interface OutboundAnswer {
  readonly status: number
  /** By lower-case names. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** Reads the body up to a number of bytes; beyond them the connection is closed, and `isWhole` is false. */
  read(mostBytes: number): Effect.Effect<OutboundBody, OutboundFailed>
}

export interface OutboundBody {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

/**
 * Sends requests out of docflow, all that flows and webhooks send: to public addresses only, checked when the name has been
 * looked up and then connected to, without following redirects. Time limits are the caller's.
 */
export class Outbound extends Context.Service<
  Outbound,
  {
    /** Sends a request and waits for the head of the answer. The end of the scope, and an interrupt, close the connection. */
    send(
      request: OutboundRequest
    ): Effect.Effect<OutboundAnswer, OutboundRefused | OutboundFailed, Scope.Scope>
  }
>()("docflow/providers/Outbound") {}
