import { Schema, SchemaAST, SchemaTransformation } from "effect"
import { apiErrors, ErrorDetails } from "../domain/Errors.ts"

/** The fields of an error, in addition to its code. */
export interface ErrorFields {
  readonly message: string
  readonly details?: ErrorDetails
}
/** An error of the API; the tag is the code. */
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

const body = (code: string) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(code),
      message: Schema.String,
      details: Schema.optionalKey(ErrorDetails)
    })
  }).annotate({ identifier: `Error_${code}` })

/** One body for each code, so that the OpenAPI document describes it once. */
const bodies = new Map<string, ReturnType<typeof body>>()

const bodyOf = (code: string) => {
  const known = bodies.get(code) ?? body(code)
  bodies.set(code, known)
  return known
}

/**
 * The wire form of an API error: `{ "error": { "code", "message", "details"? } }` with the status of its class. The
 * code is the identifier of the class, except for the few classes that are not in the error table.
 */
export const envelope = <Self extends ErrorValue>(
  errorClass: ErrorClass<Self>,
  code: string = errorClass.identifier
) =>
  bodyOf(code).pipe(
    Schema.decodeTo(
      Schema.toType(errorClass),
      SchemaTransformation.transform<Self, { readonly error: ErrorFields & { readonly code: string } }>({
        decode: ({ error }) => new errorClass(fieldsOf(error)),
        encode: (error) => ({ error: { code, ...fieldsOf(error) } })
      })
    ),
    (schema) => schema.annotate({ httpApiStatus: statusOf(errorClass), description: code })
  )

const fieldsOf = ({ details, message }: ErrorFields): ErrorFields =>
  details === undefined ? { message } : { message, details }

const statusByCode = new Map<string, number>(
  apiErrors.map((errorClass) => [errorClass.identifier, statusOf(errorClass)])
)

/** The HTTP status of a code in the error table; 500 for any other. */
export const statusForCode = (code: string): number => statusByCode.get(code) ?? 500
