import { Effect } from "effect"
import { DocumentReader } from "../document/DocumentReader.ts"
import type { DocumentRef } from "../domain/Document.ts"
import { OwnDocuments } from "../providers/documents/OwnDocuments.ts"

/**
 * The bytes of a document that belongs to the execution: those that are stored, or those of an attachment in them.
 * DocumentUnavailable if the execution has no such document, UnreadableDocument if the attachment is damaged.
 */
export const documentBytes = Effect.fnUntraced(function* (executionId: string, document: DocumentRef) {
  const stored = yield* (yield* OwnDocuments).bytes(executionId, document)
  const reader = yield* DocumentReader
  let bytes = stored
  for (const index of document.attachment ?? []) bytes = yield* reader.attachment(bytes, index)
  return bytes
})
