import { Predicate } from "effect"
import { hash } from "node:crypto"
import type { RunRequest } from "../../domain/RunRequest.ts"

/**
 * What makes two run requests the same request: the flow, the requested version, the input with the document's hash, the
 * metadata and the webhook; not how long to wait. Members of objects count in any order.
 */
export const fingerprint = (flowId: string, request: RunRequest, documentHash: string): string => {
  const { base64: _, ...document } = request.input.document
  return hash(
    "sha256",
    canonical({
      flowId,
      version: request.version,
      document: { ...document, hash: documentHash },
      variables: request.input.variables,
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      webhookSecret: request.webhookSecret
    })
  )
}

/** JSON with the members of every object sorted and absent ones left out. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (!Predicate.isObject(value)) return JSON.stringify(value ?? null)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
  return `{${members.join(",")}}`
}
