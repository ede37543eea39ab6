import type { Field } from "../lexicon/Field.ts"
import confidence from "./confidence.json" with { type: "json" }
import type { Weights } from "./Scoring.ts"

const weights: Readonly<Record<string, Weights>> = confidence.kinds

/** The kind of a field as confidence is learned: its finder, or its type where labels find it. */
export const confidenceKind = ({
  finder,
  pointOfSale,
  type
}: Pick<Field, "finder" | "pointOfSale" | "type">): string =>
  finder === "label" ? (pointOfSale ? "pointOfSale" : type) : finder

/** The learned weights of a kind of field; none if there were too few examples. */
export const confidenceWeights = (
  field: Pick<Field, "finder" | "pointOfSale" | "type">
): Weights | undefined => weights[confidenceKind(field)]
