import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { documentKindOf } from "../../../src/extraction/kinds/DocumentKind.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"

/** The kind of a document with its evidence and probabilities. */
export const verdictOn = ({ pages }: DocumentIR) =>
  documentKindOf(
    pages.map((page) => pageModel(page, shippedLexicon())),
    shippedLexicon()
  )

/** The kind of a document. */
export const kindOf = (document: DocumentIR): string => verdictOn(document).kind
