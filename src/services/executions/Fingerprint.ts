import { hash } from "node:crypto"
import { canonicalJson } from "../../domain/CanonicalJson.ts"
import type { RunRequest } from "../../domain/RunRequest.ts"

/**
 * What makes two run requests the same request: the flow, the requested version, the input with the document's hash, the
 * metadata and the webhook; not how long to wait. Members of objects count in any order.
 */
export const fingerprint = (flowId: string, request: RunRequest, documentHash: string): string => {
  const { base64: _, ...document } = request.input.document
  return hash(
    "sha256",
    canonicalJson({
      flowId,
      version: request.version,
      document: { ...document, hash: documentHash },
      variables: request.input.variables,
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      webhookSecret: request.webhookSecret,
      webhookEvents: request.webhookEvents
    })
  )
}
