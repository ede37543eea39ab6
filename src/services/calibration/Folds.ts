import { hash } from "node:crypto"
import type { Observation } from "./Observation.ts"

const most = 10

/** One part of the observations, and the others. */
export interface Fold {
  readonly held: ReadonlyArray<Observation>
  readonly rest: ReadonlyArray<Observation>
}

/** Parts of the observations for cross-validation, up to ten: always the same ones, with no document in two of them. */
export const folds = (observations: ReadonlyArray<Observation>): ReadonlyArray<Fold> => {
  const documents = [...new Set(observations.map(({ document }) => document))]
    .map((document) => ({ document, order: hash("sha256", document) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
  const count = Math.min(most, documents.length)
  const partOf = new Map(documents.map(({ document }, index) => [document, index % count]))
  return Array.from({ length: count }, (_, part) => ({
    held: observations.filter(({ document }) => partOf.get(document) === part),
    rest: observations.filter(({ document }) => partOf.get(document) !== part)
  }))
}
