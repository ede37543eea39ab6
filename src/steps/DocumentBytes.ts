import { Effect, Predicate, Schema } from "effect"
import { DocumentReader } from "../document/DocumentReader.ts"
import type { DocumentRef } from "../domain/Document.ts"
import { OwnDocuments } from "../providers/documents/OwnDocuments.ts"
import type { ConfigProblem } from "../../dsl/model/StepKind.ts"

const PageNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Some pages of a document: the first and the last, counted from 1; none if the last one comes before the first. */
export const pageRange = (description: string) =>
  Schema.Struct({ from: PageNumber, to: PageNumber }).annotate({ description })
export type PageRange = ReturnType<typeof pageRange>["Type"]

/**
 * Refuses a range written the wrong way around. One that a run computes may be empty, such as the pages after the first of a
 * document with one page.
 */
export const reversedPages = (config: unknown): ReadonlyArray<ConfigProblem> => {
  const pages = Predicate.hasProperty(config, "pages") ? config.pages : undefined
  if (!Predicate.hasProperty(pages, "from") || !Predicate.hasProperty(pages, "to")) return []
  const { from, to } = pages
  if (!Predicate.isNumber(from) || !Predicate.isNumber(to) || from <= to) return []
  const message = `Page ${from} comes after page ${to}. Write the first page as "from", the last as "to".`
  return [{ path: ["pages"], message }]
}

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
