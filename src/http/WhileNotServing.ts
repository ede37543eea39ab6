import type { IncomingMessage, Server, ServerResponse } from "node:http"

const body = JSON.stringify({
  error: {
    code: "SERVICE_UNAVAILABLE",
    message: "The service is starting or stopping; try again in a second"
  }
})

/**
 * Answers requests with 503 while the server listens but does not serve: between "listen" and "ready", and during
 * shutdown. Otherwise, such requests would wait forever.
 */
export const answerWhileNotServing = (server: Server): void => {
  const answer = (_request: IncomingMessage, response: ServerResponse): void => {
    // The service's own handler has been added: it answers.
    if (server.listenerCount("request") > withoutService) return
    response
      .writeHead(503, {
        "content-type": "application/json",
        "x-content-type-options": "nosniff",
        "retry-after": "1",
        connection: "close"
      })
      .end(body)
  }
  server.on("request", answer)
  const withoutService = server.listenerCount("request")
}
