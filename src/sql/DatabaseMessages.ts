/** What the process tells the thread of the embedded database. */
export type ToDatabase =
  | { readonly ask: "answer"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** What another connection has begun is rolled back. */
  | { readonly ask: "reset" }
  | { readonly ask: "close" }

/** What the thread tells the process: that the database is open, once, and then an answer or a failure for each message. */
export type FromDatabase =
  | { readonly tell: "opened" }
  | { readonly tell: "answer"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly tell: "failure"; readonly reason: string }

// Without Effect, which the thread would have to load.
const has = (message: unknown, key: string): boolean =>
  typeof message === "object" && message !== null && key in message

export const isToDatabase = (message: unknown): message is ToDatabase => has(message, "ask")

export const isFromDatabase = (message: unknown): message is FromDatabase => has(message, "tell")
