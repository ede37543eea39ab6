import type { Scored } from "../../../dsl/model/Calibration.ts"

/** The score of a value, 0–1, and whether the value was right. */
export interface Outcome {
  readonly score: number
  readonly right: boolean
  /** The document: the values of one document fail together, so they count as one trial and are never split. */
  readonly document: string
  /** Who issued the document, if that is known: documents of an issuer fail together, too. */
  readonly issuer?: string
}

/** The result of a test set for one value of a flow. */
export interface Observation extends Outcome {
  readonly of: Scored
}

/** The number of documents behind some outcomes. */
export const documentsOf = (outcomes: ReadonlyArray<Outcome>): number =>
  new Set(outcomes.map(({ document }) => document)).size

/**
 * Laplace's rule of succession with documents as trials: twenty right of twenty are not certainty, and a hundred values
 * of five documents are five trials.
 */
export const succession = (share: number, documents: number): number =>
  (share * documents + 1) / (documents + 2)

const issuerName = /^(?:vendor|merchant|seller|supplier|issuer)(?:Name)?$/u

/** Whether a field names the issuer of a document. */
export const isIssuer = (field: string): boolean => issuerName.test(field)

/** Who issued the document of an outcome; documents of unknown issuers count as of one each. */
export const issuerOf = ({ document, issuer }: Outcome): string => issuer ?? document
