/** What compiles the generated clients: strict, and with every declaration checked. */
export const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "preserve",
  types: []
}

/**
 * A program that uses the generated clients as a user would: numbers for pages, free objects for `metadata` and `variables`,
 * and the fields of an execution by their names.
 */
export const program = `
import type { paths } from "./openapi-typescript"
import { flowsList, flowsRun, runsGet } from "./hey-api"
import { flowsRun as orvalRun, runsGet as orvalGet } from "./orval"

type Run = paths["/api/v1/flows/{flowId}/run"]["post"]
type Got = paths["/api/v1/runs/{executionId}"]["get"]["responses"][200]["content"]["application/json"]
export const page: paths["/api/v1/flows"]["get"]["parameters"]["query"] = { limit: 10, offset: 0 }
export const body: Run["requestBody"]["content"]["application/json"] = {
  input: { document: { base64: "" }, variables: { tags: ["a"], nested: { deep: 1 } } },
  metadata: { order: 7, customer: { name: "n" } },
  wait: true,
  timeout: 1500.5
}
export const statusOf = (execution: Got): string => execution.status

export const heyApi = async (): Promise<string | undefined> => {
  await flowsList({ query: { limit: 10, offset: 0 } })
  const ran = await flowsRun({ path: { flowId: "text" }, body, auth: "key" })
  const got = await runsGet({ path: { executionId: ran.data?.id ?? "" } })
  return got.data?.output === undefined ? got.error?.error.code : got.data.status
}

export const orval = async (): Promise<string> => {
  const ran = await orvalRun("text", body)
  if (ran.status !== 200) return ran.data.error.message
  const got = await orvalGet(ran.data.id)
  // 304, for whoever sends an entity tag, has no body.
  if (got.status === 304) return ""
  return got.status === 200 ? got.data.createdAt : String(got.data.error.code)
}
`
