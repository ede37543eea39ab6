import { createServer } from "node:http"

/** The program of a process that refuses every request as soon as it has read it, and tells its parent its port. */
const answer = JSON.stringify({
  error: {
    code: "CONCURRENT_LIMIT",
    message: "Too many concurrent executions: at most 64 may be pending or running",
    details: { limit: 64 }
  }
})

const headers = {
  "content-type": "application/json",
  "content-length": String(Buffer.byteLength(answer)),
  "retry-after": "1"
}

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(429, headers).end(answer)
  })
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.(typeof address === "object" ? address?.port : undefined)
})
process.on("disconnect", () => process.exit(0))
