import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
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

/** The endpoints of a contract with their groups. */
export const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) => {
  const found: Array<{ readonly endpoint: HttpApiEndpoint.Top; readonly group: HttpApiGroup.Top }> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => void found.push({ endpoint, group })
  })
  return found
}

/** Every endpoint of the contract, so that no new one is forgotten. */
export const endpoints: ReadonlyArray<Endpoint> = endpointsOf(Api)
  // Signing in needs no credential.
  .filter(({ group }) => group.identifier !== "sign-in")
  .map(({ endpoint: { annotations, identifier: id, method, path }, group }) => ({
    name: `${method} ${path}`,
    id,
    method,
    path,
    isAdmin: group.identifier === "admin",
    scope: Context.get(annotations, RequiredScope)
  }))

/** The path with values in place of its parameters; what is not named becomes `unknown`. */
export const filled = (path: string, values: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/:([A-Za-z]+)/gu, (_, name: string) => values[name] ?? "unknown")
