import { Schema } from "effect"
import type { Field } from "../lexicon/Field.ts"
import confidence from "./confidence.json" with { type: "json" }
import type { Node, Trees } from "./Trees.ts"

const isNode = (value: unknown): value is Node => typeof value === "number" || Array.isArray(value)

/** The trees of confidence, for all kinds of fields. `node bench/learn.ts` grows them. */
export const confidenceTrees: Trees = Schema.decodeUnknownSync(
  Schema.Struct({
    bias: Schema.Finite,
    features: Schema.Array(Schema.String),
    trees: Schema.Array(Schema.declare(isNode))
  })
)(confidence)

/** The kind of a field as confidence is learned: its finder, or its type where labels find it. */
export const confidenceKind = ({
  finder,
  pointOfSale,
  type
}: Pick<Field, "finder" | "pointOfSale" | "type">): string =>
  finder === "label" ? (pointOfSale ? "pointOfSale" : type) : finder

const learned: ReadonlySet<string> = new Set([
  "money",
  "pointOfSale",
  "date",
  "identifier",
  "currency",
  "seller",
  "merchant"
])

/** Whether there were examples enough to learn the confidence in a field; others keep their score. */
export const hasConfidenceTrees = (field: Field): boolean => learned.has(confidenceKind(field))
