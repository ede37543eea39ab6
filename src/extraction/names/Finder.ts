import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Reading } from "../layout/Reading.ts"

/**
 * A way to find a field's value. It proposes candidates, the best first, each with a score and the features that the
 * score was made of; presets name it. To add one, write a file in this folder and add a line to `Finders.ts`.
 */
export interface Finder {
  readonly find: (reading: Reading, field: Field) => ReadonlyArray<Ranked>
  /** All candidates with their features, also those that score too little; where their weights are learned. */
  readonly propose?: (reading: Reading, field: Field) => ReadonlyArray<Ranked>
  /** What the field is where no candidate was found; missing if omitted. */
  readonly otherwise?: FieldEvidence
}
