import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { hash, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

/** Who signs in next, as the claims of the ID token; `lie` breaks the token in one way. */
export interface NextSignIn {
  readonly claims: Readonly<Record<string, unknown>>
  readonly lie?: "nonce" | "audience" | "signature" | "expired"
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

interface Granted {
  readonly challenge: string
  readonly nonce: string
  readonly redirectUri: string
}

/** The client that the provider knows. */
export const client = { id: "docflow-tests", secret: "the-client-secret-of-the-tests" }

/** An OpenID provider that speaks the protocol over HTTP: whoever is `next` is signed in without being asked. */
export class OpenIdServer {
  next: NextSignIn = { claims: {} }
  readonly #codes = new Map<string, Granted>()
  readonly #issuer: string
  readonly #key: KeyPair
  readonly #stranger: KeyPair
  readonly #server: ReturnType<typeof createServer>

  private constructor(
    issuer: string,
    server: ReturnType<typeof createServer>,
    keys: readonly [own: KeyPair, stranger: KeyPair]
  ) {
    this.#issuer = issuer
    this.#server = server
    this.#key = keys[0]
    this.#stranger = keys[1]
  }

  /** The address by which services are configured. */
  get issuer(): string {
    return this.#issuer
  }

  /** Starts one on a free port. By `localhost` it is another site than the services at `127.0.0.1`. */
  static async start(): Promise<OpenIdServer> {
    const keys = [await generateKeyPair("RS256"), await generateKeyPair("RS256")] as const
    const server = createServer((request, response) => {
      started
        .#answer(request, response)
        .catch((failure: unknown) => response.writeHead(500).end(String(failure)))
    })
    server.listen(0, "localhost")
    await once(server, "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const started = new OpenIdServer(`http://localhost:${port}`, server, keys)
    return started
  }

  /** Stops it. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.#issuer)
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        json(200, {
          issuer: this.#issuer,
          authorization_endpoint: `${this.#issuer}/authorize`,
          token_endpoint: `${this.#issuer}/token`,
          jwks_uri: `${this.#issuer}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
          code_challenge_methods_supported: ["S256"]
        })
        return
      case "/keys":
        json(200, {
          keys: [{ ...(await exportJWK(this.#key.publicKey)), alg: "RS256", use: "sig", kid: "1" }]
        })
        return
      case "/authorize":
        response.writeHead(302, { location: this.#authorize(url.searchParams) }).end()
        return
      case "/token": {
        const token = await this.#exchange(new URLSearchParams(await text(request)))
        json(token === undefined ? 400 : 200, token ?? { error: "invalid_grant" })
        return
      }
      default:
        json(404, {})
    }
  }

  #authorize(query: URLSearchParams): string {
    const code = randomUUID()
    const redirectUri = query.get("redirect_uri") ?? ""
    if (query.get("code_challenge_method") !== "S256" || query.get("client_id") !== client.id)
      return `${redirectUri}?error=invalid_request&state=${query.get("state")}`
    this.#codes.set(code, {
      challenge: query.get("code_challenge") ?? "",
      nonce: query.get("nonce") ?? "",
      redirectUri
    })
    return `${redirectUri}?${new URLSearchParams({ code, state: query.get("state") ?? "" })}`
  }

  /** A code is good once, for who has the secret of the client, the verifier and the same address to return to. */
  async #exchange(form: URLSearchParams): Promise<object | undefined> {
    const code = form.get("code") ?? ""
    const granted = this.#codes.get(code)
    this.#codes.delete(code)
    const verifier = form.get("code_verifier") ?? ""
    const isRight =
      granted !== undefined &&
      form.get("client_id") === client.id &&
      form.get("client_secret") === client.secret &&
      form.get("redirect_uri") === granted.redirectUri &&
      hash("sha256", verifier, "base64url") === granted.challenge
    if (!isRight) return undefined
    const { claims, lie } = this.next
    const token = await new SignJWT({ ...claims, nonce: lie === "nonce" ? "another" : granted.nonce })
      .setProtectedHeader({ alg: "RS256", kid: "1" })
      .setIssuer(this.#issuer)
      .setAudience(lie === "audience" ? "somebody-else" : client.id)
      .setIssuedAt(lie === "expired" ? "2 hours ago" : undefined)
      .setExpirationTime(lie === "expired" ? "1 hour ago" : "5 minutes")
      .sign((lie === "signature" ? this.#stranger : this.#key).privateKey)
    return { access_token: randomUUID(), token_type: "Bearer", id_token: token }
  }
}
