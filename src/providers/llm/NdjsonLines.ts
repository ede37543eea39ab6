import { badAnswer, unavailable } from "./CallFailure.ts"
import { type ModelServer, statusFailure } from "./StatusFailure.ts"

const newline = 0x0a

/**
 * Passes on the lines of Ollama's stream after checking that each is JSON: its client would print an invalid one, and
 * with it text of the document. Fails on an error in the stream, and if it ends before its last line.
 */
export async function* checkedLines(
  server: ModelServer,
  pieces: AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  let begun: Array<Uint8Array> = []
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, from)) {
      const line = Buffer.concat([...begun, piece.subarray(from, end + 1)])
      begun = []
      from = end + 1
      if (line.length < 2) continue
      const isLast = checkLine(server, line.toString("utf8"))
      yield line
      if (isLast) return
    }
    if (from < piece.length) begun.push(piece.subarray(from))
  }
  const rest = Buffer.concat(begun)
  if (rest.length > 0 && checkLine(server, rest.toString("utf8"))) return yield rest
  throw unavailable(
    `the answer of ${server.address} broke off`,
    "Run it again; if it stays so, look at its log"
  )
}

/** Whether the line is the last one. */
const checkLine = (server: ModelServer, line: string): boolean => {
  const value = parse(line)
  if (value === undefined) throw badAnswer(`${server.address} did not answer in Ollama's protocol`, true)
  if ("error" in value) throw statusFailure(server, { status: 500, retryAfter: undefined, body: line })
  return "done" in value && value.done === true
}

const parse = (line: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
