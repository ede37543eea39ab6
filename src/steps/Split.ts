import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { DocumentIR } from "../domain/DocumentIR.ts"
import { refuseNoClass } from "./StepConfig.ts"
import { Classes } from "./classify/Class.ts"
import { chosenModel, modelIfSet } from "./models/ChosenModel.ts"
import { ModelUsed, TokensUsed } from "./models/ModelUse.ts"
import { askForBeginnings } from "./split/AskForBeginnings.ts"
import { type Parts, partsOf } from "./split/SplitParts.ts"
import { seePages } from "./split/SeePages.ts"
import type { SeenPage } from "./split/Weigh.ts"

/** The configuration of a `split` step. */
export const SplitConfig = Schema.Struct({
  document: DocumentIR.annotate({ description: "Document to split, usually `${{ steps.read.document }}`." }),
  using: Schema.Array(Schema.Literals(["rules", "llm"]))
    .check(Schema.isMinLength(1, { message: "At least one way to split is required." }))
    .annotate({
      description:
        "How to find the beginnings. With `rules` and `llm`, a model decides only the pages on which the rules are in doubt; if no model is set, the rules decide and add a warning. With `llm` alone, a model decides every page. Default: [rules]."
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(["rules" as const]))),
  startsWith: Schema.Array(Schema.String)
    .annotate({
      description:
        "Words or phrases at the top of the first page of a document, such as `Invoice`. Case and accents are ignored."
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  classes: Schema.optionalKey(
    Classes.annotate({
      description:
        "Classes of documents, as in `classify`. A page whose class differs from the class of the pages before it begins a document."
    })
  ),
  pageNumbers: Schema.Boolean.annotate({
    description:
      "Whether to use printed page numbers: `Page 1 of 3` begins a document, a following `Page 2 of 3` does not, and the page after `Page 3 of 3` does. Default: true."
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))),
  blankPages: Schema.Boolean.annotate({
    description:
      "Whether a blank page separates two documents, unless the page numbers continue after it. Blank separators are dropped. Default: true."
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))),
  model: Schema.optionalKey(
    Schema.String.annotate({
      description: "A model of DOCFLOW_LLM. Default: the first one."
    })
  )
})

const Signal = Schema.Literals([
  "first",
  "blank",
  "number",
  "words",
  "identifier",
  "class",
  "total",
  "layout",
  "model"
])

/** The documents that were found, in order. */
export const SplitOutput = Schema.Struct({
  parts: Schema.Array(
    Schema.Struct({
      from: Schema.Int.annotate({ description: "Its first page in the file, counted from 1." }),
      to: Schema.Int.annotate({ description: "Its last page in the file." }),
      signal: Signal.annotate({
        description: "The strongest evidence that a document begins on its first page."
      }),
      doubtful: Schema.Boolean.annotate({
        description: "Whether the rules were not sure that a document begins there."
      }),
      document: DocumentIR.annotate({ description: "The document, for other steps." })
    })
  ).annotate({ description: "The documents that were found, in order." }),
  tokensUsed: TokensUsed,
  model: ModelUsed,
  warnings: Schema.Array(Schema.String).annotate({
    description: "Warnings: doubtful pages that no model could be asked about."
  })
})

const inDoubt = (pages: ReadonlyArray<SeenPage>, doubts: ReadonlyArray<number>): string => {
  const numbers = doubts.flatMap((index) => pages[index]?.page.pageNumber ?? [])
  return `The rules are not sure whether a document begins on page ${numbers.join(", ")}. Set DOCFLOW_LLM to let a model decide.`
}

const outputOf = ({ parts }: Parts, { extras }: DocumentIR) =>
  parts.map(({ doubtful, pages, signal }) => ({
    from: pages[0]?.page.pageNumber ?? 1,
    to: pages.at(-1)?.page.pageNumber ?? 1,
    signal,
    doubtful,
    document: { pages: pages.map(({ page }) => page), extras: { ...extras, pageCount: pages.length } }
  }))

/** The step kind `split`: finds the documents in one file. */
export const split = StepKind.make("split", {
  description:
    "Find the documents in a file that contains several of them. Evidence for a first page: words at its top, page numbers, a blank page before it, a salutation, a different number next to the same label, a different class, a different total, a different paper size. Evidence against it: continued page numbers, the same numbers in its head, words like `continued`. If that leaves a doubt, a model can decide from the end and the beginning of the pages.",
  example: `- { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
- id: parts
  uses: split
  with: { document: "\${{ steps.read.document }}", using: [rules], startsWith: [Invoice] }`,
  config: SplitConfig,
  output: SplitOutput,
  asksModel: true,
  errors: { LlmFailure: "PROVIDER_ERROR" },
  problems: refuseNoClass,
  run: Effect.fnUntraced(function* (config, context) {
    const { document, model: wanted, using } = config
    const pages = yield* seePages(config)
    const byRules = partsOf(pages, new Map())
    const rules = { parts: outputOf(byRules, document), tokensUsed: 0, model: null, warnings: [] }
    const rulesFirst = using[0] === "rules"
    const doubts = rulesFirst ? byRules.doubts : [...pages.keys()].slice(1)
    if (!using.includes("llm") || doubts.length === 0) return rules
    const model = yield* rulesFirst ? modelIfSet(wanted, context) : chosenModel(wanted, context)
    if (model === undefined) return { ...rules, warnings: [inDoubt(pages, doubts)] }
    const { decided, tokensUsed } = yield* askForBeginnings(model, pages, doubts, context.progress)
    const parts = outputOf(partsOf(pages, decided), document)
    return { parts, tokensUsed, model: model.name, warnings: [] }
  })
})
