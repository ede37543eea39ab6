import { Predicate } from "effect"

/** The body of a run. */
export interface RunBody {
  readonly json: unknown
  /**
   * The bytes of the document, if it is not in the JSON. `input.document.base64` is what was sent before them: nothing, or the
   * prefix of a data URL.
   */
  readonly document?: Uint8Array
}

/** A member of a JSON object; undefined if there is none, or the value is no object. */
export const memberOf = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
