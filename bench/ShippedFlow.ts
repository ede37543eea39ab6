import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { parse as parseYaml } from "yaml"
import { type Field, fieldOf } from "../src/extraction/lexicon/Field.ts"
import { FieldDefinition } from "../src/extraction/fields/FieldDefinition.ts"

const Flow = Schema.Struct({
  steps: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      with: Schema.optionalKey(
        Schema.Struct({
          fields: Schema.optionalKey(Schema.Record(Schema.String, FieldDefinition)),
          relations: Schema.optionalKey(Schema.Array(Schema.String))
        })
      )
    })
  )
})

/** The fields and relations of a step `extract`. */
export interface ExtractedFields {
  readonly fields: ReadonlyArray<Field>
  readonly relations: ReadonlyArray<string>
}

/** What the step `fields` of a shipped flow asks for, as it is written. */
export const shippedDefinitions = (flow: "invoice" | "receipt") => {
  const file = new URL(`../flows/${flow}/1.0.0.yaml`, import.meta.url)
  const { steps } = Schema.decodeUnknownSync(Flow)(parseYaml(readFileSync(file, "utf8")))
  const step = steps.find(({ id }) => id === "fields")
  return { fields: step?.with?.fields ?? {}, relations: step?.with?.relations ?? [] }
}

/** What the step `fields` of a shipped flow extracts, and fields that the truth has in addition. */
export const shippedFields = (
  flow: "invoice" | "receipt",
  more: Readonly<Record<string, FieldDefinition>> = {}
): ExtractedFields => {
  const { fields, relations } = shippedDefinitions(flow)
  return {
    fields: Object.entries({ ...fields, ...more }).map(([name, definition]) => fieldOf(name, definition)),
    relations
  }
}
