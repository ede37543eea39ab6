import { Schema } from "effect"

/** A JSON Schema, as far as values are made from it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

const JsonSchema = Schema.Record(Schema.String, Schema.Unknown)

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query", "header", "cookie"]),
  required: Schema.optionalKey(Schema.Boolean),
  schema: JsonSchema
})

const Response = Schema.Struct({
  content: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ schema: JsonSchema }))),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})

const OperationObject = Schema.Struct({
  operationId: Schema.String,
  parameters: Schema.Array(Parameter),
  requestBody: Schema.optionalKey(
    Schema.Struct({ content: Schema.Record(Schema.String, Schema.Struct({ schema: JsonSchema })) })
  ),
  responses: Schema.Record(Schema.String, Response)
})

const Document = Schema.Struct({
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, OperationObject)),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, JsonSchema) })
})

/** One operation of the document. */
export interface Operation extends Schema.Schema.Type<typeof OperationObject> {
  readonly method: string
  readonly path: string
}

/** An OpenAPI document, as it is served, and what was read from it. */
export interface OpenApiDocument {
  readonly served: JsonSchema
  readonly operations: ReadonlyArray<Operation>
  /** The schema that a `$ref` names, or the schema itself. */
  readonly resolve: (schema: JsonSchema) => JsonSchema
}

/** Reads an OpenAPI document. */
export const readDocument = (served: unknown): OpenApiDocument => {
  const { components, paths } = Schema.decodeUnknownSync(Document)(served)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      Object.assign({ path, method: method.toUpperCase() }, operation)
    )
  )
  const resolve = (schema: JsonSchema): JsonSchema => {
    const ref = schema["$ref"]
    if (typeof ref !== "string") return schema
    const target = components.schemas[ref.replace("#/components/schemas/", "")]
    if (target === undefined) throw new Error(`the document refers to ${ref}, which it does not have`)
    return resolve(target)
  }
  return { served: Schema.decodeUnknownSync(JsonSchema)(served), operations, resolve }
}

/** Whether a path is one that the template stands for, each `{name}` for one segment. */
export const isPathOf = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{[^}]+\}/gu, "[^/]+")}$`, "u").test(path)
