import type { FieldDefinition, FieldType } from "../FieldDefinition.ts"

/** How a value is found: beside its label, or by rules of its own. */
export type FinderName = "label" | "seller" | "customer" | "merchant" | "address" | "currency" | "kind"

/** What a preset says about a field. */
export interface Preset extends Omit<FieldDefinition, "preset" | "required"> {
  readonly type: FieldType
  readonly finder?: FinderName
  /** Labels that also mean something else: they count less than the others. */
  readonly weak?: ReadonlyArray<string>
  /** A day near today: one far from it is probably misread. */
  readonly recent?: boolean
  /** Amounts of a credit note are given without the minus that some print: what it is says the document's kind. */
  readonly unsigned?: boolean
  /** What is paid at a till: rounded where a line says so, and surer where it is printed again. */
  readonly till?: boolean
  /** Several values add up to the one that counts (tax at several rates). */
  readonly adds?: boolean
}

/** Labels as they are written in a preset: with semicolons between them, over several lines. */
export const list = (text: string): ReadonlyArray<string> =>
  text
    .split(";")
    .map((label) => label.trim())
    .filter((label) => label !== "")
