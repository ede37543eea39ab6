import { Effect } from "effect"
import type { Server } from "node:http"

/** Stops a server, and whatever is still connected to it. */
const stop = (server: Server): Effect.Effect<void> =>
  Effect.promise(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  )

/** Lets a server listen on a free port of the loopback until the scope ends; the port. */
export const listening = Effect.fnUntraced(function* (server: Server) {
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))),
    () => stop(server)
  )
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
})
