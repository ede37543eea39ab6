import { Result, Schema, SchemaAST, type JsonSchema } from "effect"
import type * as Type from "./Type.ts"
import { fromJsonSchema } from "./JsonSchemaTypes.ts"

/** The JSON Schema of the encoded side of an Effect Schema, with its definitions; `{}` if there is none. */
export const jsonSchemaOf = (schema: Schema.Constraint): JsonSchema.JsonSchema =>
  Result.getOrElse(
    Result.try(() => {
      const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
      const hasDefinitions = Object.keys(document.definitions).length > 0
      return hasDefinitions ? { ...document.schema, $defs: document.definitions } : document.schema
    }),
    () => ({})
  )

const encodedTypes = new WeakMap<SchemaAST.AST, Type.Type>()
const decodedTypes = new WeakMap<SchemaAST.AST, Type.Type>()

/** The type of the encoded side of an Effect Schema. */
export const encodedType = (schema: Schema.Constraint): Type.Type =>
  remembered(encodedTypes, schema.ast, () =>
    fromJsonSchema(jsonSchemaOf(schema), { closed: true, trusted: true })
  )

/** The type of the decoded side of an Effect Schema. */
export const decodedType = (schema: Schema.Constraint): Type.Type =>
  remembered(decodedTypes, schema.ast, () => encodedType(Schema.make(SchemaAST.toType(schema.ast))))

const remembered = (
  types: WeakMap<SchemaAST.AST, Type.Type>,
  ast: SchemaAST.AST,
  make: () => Type.Type
): Type.Type => {
  const known = types.get(ast)
  if (known !== undefined) return known
  const made = make()
  types.set(ast, made)
  return made
}
