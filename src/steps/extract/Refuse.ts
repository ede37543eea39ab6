import { missing } from "../../domain/Evidence.ts"
import type { Field } from "../../extraction/lexicon/Field.ts"
import type { Found } from "./ExtractSource.ts"

/** Removes values that do not appear in the document if their fields must be grounded; says which. */
export const refuseInferred = (
  fields: ReadonlyArray<Field>,
  found: Found
): { readonly found: Found; readonly warnings: ReadonlyArray<string> } => {
  const refused = fields.filter(({ name, grounded }) => grounded && found[name]?.status === "inferred")
  return {
    found: { ...found, ...Object.fromEntries(refused.map(({ name }) => [name, missing])) },
    warnings: refused.map(({ name }) => `${name}: the value does not appear in the document and is dropped.`)
  }
}
