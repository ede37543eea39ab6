import { type Field, fieldOf } from "./Field.ts"
import type { FieldDefinition } from "../fields/FieldDefinition.ts"
import { type Lexicon, ofLexicon } from "./Lexicon.ts"

/** The number of definitions whose fields are kept. */
const mostKept = 200

const keptOf = ofLexicon(() => new Map<string, Field>())

const definitionOf = new WeakMap<Field, FieldDefinition>()

/** The definitions that `fieldsOf` made fields of; undefined if one of the fields was made otherwise. */
export const definitionsOf = (
  fields: ReadonlyArray<Field>
): Readonly<Record<string, FieldDefinition>> | undefined => {
  const known = fields.flatMap((field) => {
    const definition = definitionOf.get(field)
    return definition === undefined ? [] : [[field.name, definition] as const]
  })
  return known.length === fields.length ? Object.fromEntries(known) : undefined
}

/**
 * The fields of their definitions. The same flow asks for the same fields again and again: they are kept, and with them
 * what is derived from their labels.
 */
export const fieldsOf = (
  definitions: Readonly<Record<string, FieldDefinition>>,
  lexicon: Lexicon
): ReadonlyArray<Field> => {
  const kept = keptOf(lexicon)
  return Object.entries(definitions).map(([name, definition]) => {
    const key = JSON.stringify([name, definition])
    const field = kept.get(key) ?? fieldOf(name, definition, lexicon)
    definitionOf.set(field, definition)
    kept.delete(key)
    kept.set(key, field)
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return field
  })
}
