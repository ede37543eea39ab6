import { hash } from "node:crypto"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import type { RunRequest } from "../../domain/RunRequest.ts"

/**
 * The fingerprint by which two run requests are the same: the flow, the requested version, the input with the
 * document's hash, the metadata and the webhook, but not the wait. The order of members does not matter.
 */
export const fingerprintOf = (flowId: string, request: RunRequest, documentHash: string): string => {
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
