import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/StepKind.ts"
import { DocumentIR, type Page, pageText } from "../domain/DocumentIR.ts"
import { hasPhrase, topOf } from "./Phrases.ts"

/** What a `split` step is given. */
export const SplitConfig = Schema.Struct({
  document: DocumentIR.annotate({ description: "The document, normally ${{ steps.read.document }}." }),
  startsWith: Schema.Array(Schema.String)
    .annotate({
      description:
        "Words or phrases one of which stands at the top of the first page of each document, like Invoice; case and accents do not matter."
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  pageNumbers: Schema.Boolean.annotate({
    description:
      'Whether a page that says "Page 1 of 3" begins a document, and one that says "Page 2 of 3" does not.'
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))),
  blankPages: Schema.Boolean.annotate({
    description: "Whether a page without text separates two documents; it is left out then."
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(true)))
})

const Signal = Schema.Literals(["first", "blank", "number", "words"])

/** The documents that were found, in order. */
export const SplitOutput = Schema.Struct({
  parts: Schema.Array(
    Schema.Struct({
      /** The pages of the whole that it is, both included. */
      from: Schema.Int,
      to: Schema.Int,
      /** What told its beginning. */
      signal: Signal,
      document: DocumentIR
    })
  )
})

const pageWord =
  /\b(?:page|seite|pagina|p[aá]gina|blatt)\s*:?\s*(\d{1,4})\s*(?:of|von|van|de|sur|di|\/)\s*(\d{1,4})\b/iu
const bareNumber = /^\s*(\d{1,3})\s*\/\s*(\d{1,3})\s*$/u

/** The number that a page gives itself. */
const numberOf = (page: Page): number | undefined => {
  for (const { text } of page.lines) {
    const [, number, total] = pageWord.exec(text) ?? bareNumber.exec(text) ?? []
    if (number !== undefined && Number(number) >= 1 && Number(number) <= Number(total)) return Number(number)
  }
  return undefined
}

/** Whether a page begins a document, and what says so. */
const beginning = (page: Page, config: typeof SplitConfig.Type): typeof Signal.Type | undefined => {
  const number = config.pageNumbers ? numberOf(page) : undefined
  if (number !== undefined) return number === 1 ? "number" : undefined
  const top = topOf(page)
  return config.startsWith.some((phrase) => hasPhrase(top, phrase)) ? "words" : undefined
}

interface Part {
  readonly signal: typeof Signal.Type
  readonly pages: Array<Page>
}

const partsOf = (config: typeof SplitConfig.Type): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let next: typeof Signal.Type | undefined = "first"
  for (const page of config.document.pages) {
    if (config.blankPages && page.problem === undefined && pageText(page).trim() === "") {
      if (parts.length > 0) next = "blank"
      continue
    }
    const signal: typeof Signal.Type | undefined = next ?? beginning(page, config)
    next = undefined
    const last = parts.at(-1)
    if (signal === undefined && last !== undefined) last.pages.push(page)
    else parts.push({ signal: signal ?? "first", pages: [page] })
  }
  return parts
}

/** The step kind `split`: the documents in one file. */
export const split = StepKind.make("split", {
  description:
    "Finds the documents in a file that holds several, one after the other: by words at the top of a first page, by page numbers and by blank pages.",
  config: SplitConfig,
  output: SplitOutput,
  errors: {},
  run: (config) =>
    Effect.sync(() => ({
      parts: partsOf(config).map(({ pages, signal }) => ({
        from: pages[0]?.pageNumber ?? 1,
        to: pages.at(-1)?.pageNumber ?? 1,
        signal,
        document: { pages, extras: { ...config.document.extras, pageCount: pages.length } }
      }))
    }))
})
