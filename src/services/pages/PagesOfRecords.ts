import { Option, Predicate, Schema } from "effect"
import { DocumentRef } from "../../domain/Document.ts"
import { DocumentIR, type Page } from "../../domain/DocumentIR.ts"
import { FieldEvidence } from "../../domain/Evidence.ts"
import type { FieldPlace } from "../../domain/PageText.ts"
import type { OutlinedPage, OutlinedRecord } from "../../engine/journal/RecordOutlines.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"

/** A place on a numbered page, before the page is turned upright. */
export interface PlaceOnPage extends FieldPlace {
  readonly page: number
}

const decodeDocument = Schema.decodeUnknownOption(Schema.Struct({ document: DocumentIR }))
const decodeFields = Schema.decodeUnknownOption(
  Schema.Struct({ fields: Schema.Record(Schema.String, FieldEvidence) })
)

const isBetter = (page: Pick<Page, "problem">, known: Pick<Page, "problem"> | undefined): boolean =>
  known === undefined || (known.problem !== undefined && page.problem === undefined)

/**
 * The pages that the steps read of the document, or of one of its attachments, by number; if a page was read twice, the
 * one without a problem.
 */
export const pagesOf = (
  records: ReadonlyArray<StepRecord>,
  attachment?: string
): ReadonlyMap<number, Page> => {
  const pages = new Map<number, Page>()
  for (const { output } of records) {
    if (!Predicate.hasProperty(output, "document")) continue
    const found = Option.getOrUndefined(decodeDocument(output))
    if (found?.document.extras.attachment?.path.join(".") !== attachment) continue
    for (const page of found?.document.pages ?? []) {
      if (isBetter(page, pages.get(page.pageNumber))) pages.set(page.pageNumber, page)
    }
  }
  return pages
}

const decodeAttached = Schema.decodeUnknownOption(
  Schema.Struct({
    document: Schema.Struct({
      extras: Schema.Struct({ attachment: DocumentIR.fields.extras.schema.fields.attachment })
    })
  })
)

/** As `pagesOf`, of outlined records: the pages are parsed when they are shown. */
export const outlinedPagesOf = (
  records: ReadonlyArray<OutlinedRecord>,
  attachment?: string
): ReadonlyMap<number, OutlinedPage> => {
  const found = new Map<number, OutlinedPage>()
  for (const { pages, record } of records) {
    if (pages.length === 0) continue
    const opened = Option.getOrUndefined(decodeAttached(record.output))?.document.extras.attachment
    if (opened?.path.join(".") !== attachment) continue
    for (const page of pages) {
      const { pageNumber } = page.head
      if (isBetter(page.head, found.get(pageNumber)?.head)) found.set(pageNumber, page)
    }
  }
  return found
}

const placesOfField = (step: string, field: string, evidence: FieldEvidence): Array<PlaceOnPage> => {
  const { bbox, cells = [], page } = evidence
  const own = bbox === undefined || page === undefined ? [] : [{ step, field, page, bbox }]
  return [
    ...own,
    ...cells.flatMap((row, index) =>
      Object.entries(row).map(([column, cell]) => ({
        step,
        field,
        row: index,
        column,
        page: cell.page,
        bbox: cell.bbox
      }))
    )
  ]
}

/** The steps that found fields themselves, without outer steps that pass them on. */
export const extractions = (records: ReadonlyArray<StepRecord>) =>
  records
    .filter(({ path }) => !records.some((other) => other.path.startsWith(`${path}.`)))
    .flatMap(({ output, path }) => {
      const found = Option.getOrUndefined(decodeFields(output))
      return found === undefined ? [] : [{ step: path, fields: found.fields }]
    })

/** The places of the fields that the steps found in the document, or in the attachment of this name. */
export const placesOf = (
  records: ReadonlyArray<StepRecord>,
  file: string | undefined
): ReadonlyArray<PlaceOnPage> =>
  extractions(records).flatMap(({ fields, step }) =>
    Object.entries(fields)
      .filter(([, evidence]) => evidence.file === file)
      .flatMap(([field, evidence]) => placesOfField(step, field, evidence))
  )

const Opened = Schema.Struct({
  attachments: Schema.Array(Schema.Struct({ name: Schema.NullOr(Schema.String), document: DocumentRef }))
})
const decodeOpened = Schema.decodeUnknownOption(Opened)

/** A file inside the document, opened by a step. */
export interface OpenedFile {
  readonly name: string
  readonly document: DocumentRef
}

/** The files inside the document that steps opened, by their numbers: `0`, or `0.2` for one inside the first. */
export const attachmentsOf = (records: ReadonlyArray<StepRecord>): ReadonlyMap<string, OpenedFile> =>
  new Map(
    records.flatMap(({ output }) =>
      Option.match(decodeOpened(output), {
        onNone: () => [],
        onSome: ({ attachments }) =>
          attachments.flatMap(({ document, name }) =>
            document.attachment === undefined
              ? []
              : [[document.attachment.join("."), { name: name ?? "", document }] as const]
          )
      })
    )
  )
