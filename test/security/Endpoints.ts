import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { RequiredScope } from "../../src/api/Gate.ts"
import type { Scope } from "../../src/domain/ApiKey.ts"

/** An endpoint of the contract. */
export interface Endpoint {
  /** Like `GET /api/v1/runs/:executionId`. */
  readonly name: string
  /** Its name in the contract, like `getRun`. */
  readonly id: string
  readonly method: string
  readonly path: string
  /** Whether it needs the admin token, or the session of a user. */
  readonly isAdmin: boolean
  readonly scope: Scope | undefined
}

/** Every endpoint of the contract, so that no new one is forgotten. */
export const endpoints: ReadonlyArray<Endpoint> = (() => {
  const found: Array<Endpoint> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const { identifier: id, method, path } = endpoint
      // Signing in needs no credential.
      if (group.identifier === "sign-in") return
      found.push({
        name: `${method} ${path}`,
        id,
        method,
        path,
        isAdmin: group.identifier === "admin",
        scope: Context.get(endpoint.annotations, RequiredScope)
      })
    }
  })
  return found
})()

/** The path with values in place of its parameters; what is not named becomes `unknown`. */
export const filled = (path: string, values: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/:([A-Za-z]+)/gu, (_, name: string) => values[name] ?? "unknown")
