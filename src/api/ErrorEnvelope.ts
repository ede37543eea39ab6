import { Schema, SchemaAST, SchemaTransformation } from "effect"
import { apiErrors, ErrorDetails } from "../domain/Errors.ts"

export interface ErrorFields {
  readonly message: string
  readonly details?: ErrorDetails
}
export interface ErrorValue extends ErrorFields {
  readonly _tag: string
}
/** One of the error classes of `domain/Errors`: its identifier is the code. */
export interface ErrorClass<Self extends ErrorValue> extends Schema.Codec<Self, ErrorValue> {
  readonly identifier: string
  new (fields: ErrorFields): Self
}

/** The HTTP status of an error class of `domain/Errors`. */
export const statusOf = (errorClass: Schema.Constraint): number => {
  const status = SchemaAST.resolve(errorClass.ast)?.["httpApiStatus"]
  return typeof status === "number" ? status : 500
}

/**
 * The wire form of an API error: `{ "error": { "code", "message", "details"? } }` with the status of its class. The code is the
 * class's identifier, but for the few classes that are no row of the error table.
 */
export const envelope = <Self extends ErrorValue>(
  errorClass: ErrorClass<Self>,
  code: string = errorClass.identifier
) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(code),
      message: Schema.String,
      details: Schema.optionalKey(ErrorDetails)
    })
  }).pipe(
    Schema.decodeTo(
      Schema.toType(errorClass),
      SchemaTransformation.transform<Self, { readonly error: ErrorFields & { readonly code: string } }>({
        decode: ({ error }) => new errorClass(fieldsOf(error)),
        encode: (error) => ({ error: { code, ...fieldsOf(error) } })
      })
    ),
    (schema) =>
      schema.annotate({ httpApiStatus: statusOf(errorClass), identifier: `${errorClass.identifier}_error` })
  )

const fieldsOf = ({ details, message }: ErrorFields): ErrorFields =>
  details === undefined ? { message } : { message, details }

const statusByCode = new Map<string, number>(
  apiErrors.map((errorClass) => [errorClass.identifier, statusOf(errorClass)])
)

/** The HTTP status that belongs to a code of the error table; 500 for anything else. */
export const statusForCode = (code: string): number => statusByCode.get(code) ?? 500
