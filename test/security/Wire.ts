import { connect } from "node:net"

/** One answer on a connection, as it came. */
export interface WireAnswer {
  readonly status: number
  readonly text: string
}

const quiet = 700

/**
 * Sends bytes over a connection of its own and gives back every answer that came on it: until the server closes it, or
 * nothing has come for a while.
 */
export const exchange = (address: string, bytes: string | Uint8Array): Promise<ReadonlyArray<WireAnswer>> => {
  const { hostname, port } = new URL(address)
  return new Promise((resolve) => {
    let received = ""
    const socket = connect(Number(port), hostname)
    const done = () => {
      socket.destroy()
      resolve(answersIn(received))
    }
    socket.on("connect", () => socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes))
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1")
      // Not before something came: the service may be busy.
      socket.setTimeout(quiet, done)
    })
    socket.on("close", done)
    // A server that has refused does not read on.
    socket.on("error", done)
  })
}

const answersIn = (received: string): ReadonlyArray<WireAnswer> =>
  received
    .split(/(?=HTTP\/1\.[01] \d{3} )/u)
    .filter((text) => text !== "")
    .map((text) => ({ status: Number(/^HTTP\/1\.[01] (\d{3})/u.exec(text)?.[1] ?? "0"), text }))
