import { connect, type Socket } from "node:net"

/** What came of a request. */
export interface Outcome {
  /** 0 if the connection broke. */
  readonly status: number
  readonly ms: number
  /** When the answer had arrived, in milliseconds since this program started. */
  readonly at: number
}

/**
 * Sends prepared requests over connections that stay open, and reads no more of the answers than their status and length: a
 * client on the same cores takes a part of what it measures, and that of Node.js takes as much for a request as the service does
 * for a refusal.
 */
export class LeanClient {
  readonly #host: string
  readonly #port: number
  readonly #idle: Array<Socket> = []
  readonly #all = new Set<Socket>()

  constructor(address: string) {
    const { hostname, port } = new URL(address)
    this.#host = hostname
    this.#port = Number(port)
  }

  /** A `POST` with a body of JSON, ready to be sent many times. */
  prepare(path: string, key: string, body: Buffer): Buffer {
    const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    return Buffer.concat([Buffer.from(`${this.#head("POST", path, key)}${content}\r\n`), body])
  }

  /** A `GET`, ready to be sent many times. */
  prepareGet(path: string, key: string): Buffer {
    return Buffer.from(`${this.#head("GET", path, key)}\r\n`)
  }

  send(request: Buffer): Promise<Outcome> {
    const startedAt = performance.now()
    const socket = this.#idle.pop() ?? this.#connect()
    return new Promise((resolve) => {
      let head = ""
      let left = -1
      let status = 0
      const end = (isOpen: boolean) => {
        socket.off("data", onData).off("close", onClose)
        if (isOpen) this.#idle.push(socket)
        const at = performance.now()
        resolve({ status: isOpen ? status : 0, ms: at - startedAt, at })
      }
      const onClose = () => end(false)
      const onData = (chunk: Buffer) => {
        if (left < 0) {
          head += chunk.toString("latin1")
          const length = /^HTTP\/1\.1 (\d+)[^]*?\r\ncontent-length: (\d+)\r\n[^]*?\r\n\r\n/iu.exec(head)
          if (length === null) return
          status = Number(length[1])
          left = Number(length[2]) + length[0].length - head.length
        } else left -= chunk.length
        if (left <= 0) end(true)
      }
      socket.on("data", onData).on("close", onClose)
      socket.write(request)
    })
  }

  /** Closes all connections. */
  close(): void {
    for (const socket of this.#all) socket.destroy()
  }

  #head(method: string, path: string, key: string): string {
    return `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}:${this.#port}\r\nAuthorization: Bearer ${key}\r\n`
  }

  #connect(): Socket {
    const socket = connect(this.#port, this.#host).setNoDelay()
    this.#all.add(socket)
    return socket
      .on("error", () => socket.destroy())
      .on("close", () => {
        this.#all.delete(socket)
        const at = this.#idle.indexOf(socket)
        if (at !== -1) this.#idle.splice(at, 1)
      })
  }
}
