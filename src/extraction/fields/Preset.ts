import type { FieldDefinition, FieldType } from "./FieldDefinition.ts"
import type { PresetName } from "./PresetNames.ts"

/** The ways to find a value. */
export type FinderName = "label" | "seller" | "customer" | "merchant" | "address" | "currency" | "kind"

/** The definition of a preset. Its labels are in the lexicon, by the preset's name. */
export interface Preset extends Omit<FieldDefinition, "preset" | "required" | "labels" | "not"> {
  readonly type: FieldType
  /** How the value is found; by its label if omitted. */
  readonly finder?: FinderName
  /** The field whose labels count, as weak ones, for this field too. */
  readonly fallback?: PresetName
  /** Fields whose labels must not be mistaken for this field's. */
  readonly rivals?: ReadonlyArray<PresetName>
  /** Whether the date is expected to be near today; a date far from it is probably misread. */
  readonly recent?: boolean
  /**
   * Whether amounts of a credit note are returned without the minus that some print; the document's kind conveys the
   * meaning.
   */
  readonly unsigned?: boolean
  /** A total paid at a point of sale: rounded where a line says so, and surer if it is printed again. */
  readonly pointOfSale?: boolean
  /** Whether every document of its kind has a value: one that is not found needs review. */
  readonly always?: boolean
  /** Whether several values add up to the field's value (tax at several rates). */
  readonly adds?: boolean
}
