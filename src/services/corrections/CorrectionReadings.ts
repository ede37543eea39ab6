import { Effect } from "effect"
import type { Caller } from "../../domain/ApiKey.ts"
import type { Correction } from "../../domain/Corrections.ts"
import { ValidationFailed } from "../../domain/Errors.ts"
import type { PageText } from "../../domain/PageText.ts"
import { readingsOf } from "../../extraction/values/PrintedValue.ts"
import type { PageViews } from "../pages/PageViews.ts"
import { wordsInBox } from "../pages/WordsInBox.ts"
import type { Asked } from "./AskedCorrections.ts"

/** The error for a correction that cannot be saved; `field` is its path in the request. */
export const invalidCorrection = (message: string, field: string, reason = message) =>
  new ValidationFailed({ message, details: { field, reason } })

/** The name of a field or cell, for messages. */
export const nameOf = ({ column, field, row }: Correction): string =>
  row === undefined || column === undefined ? field : `${field}, row ${row + 1}, ${column}`

/** The maximum number of boxes recognised for one request. */
const mostRecognised = 10

/**
 * Finds the possible readings of the corrections in one request: typed, from a box, or as extracted (`before`). Strings are read
 * as the value that people see (`shown`): one with three decimals is changed to another. Each page is read once. ValidationFailed for a page that does not exist, and a box without text.
 */
export const correctionReadings = (pages: PageViews["Service"], caller: Caller, executionId: string) => {
  const texts = new Map<number, PageText>()
  const textOf = Effect.fnUntraced(function* (page: number, part: string) {
    // Yields first: finding the words of a box takes long on a large page.
    yield* Effect.yieldNow
    const text =
      texts.get(page) ??
      (yield* Effect.catchTag(pages.text(caller, executionId, { page }), "INVALID_INPUT", ({ details }) => {
        const reason = String(details?.["reason"])
        return invalidCorrection(`Invalid ${part}.page: ${reason}`, `${part}.page`, reason)
      }))
    texts.set(page, text)
    return text
  })
  let recognised = 0
  return Effect.fnUntraced(function* ({ correction, part }: Asked, before: unknown, shown: unknown) {
    const { bbox, page, value } = correction
    if (value !== undefined) return typeof value === "string" ? readingsOf(value, shown) : [value]
    if (bbox === undefined || page === undefined) return [before]
    const printed = wordsInBox(yield* textOf(page, part), bbox)
    if (printed !== "") return readingsOf(printed, shown)
    // Recognition takes seconds; people draw one box at a time.
    if (recognised++ >= mostRecognised) {
      return yield* invalidCorrection(
        `Too many boxes without text: at most ${mostRecognised} in one request`,
        "values"
      )
    }
    const text = yield* pages.recognised(caller, executionId, { page }, bbox)
    return text === ""
      ? yield* invalidCorrection(`There is no text in the box of ${nameOf(correction)}`, `${part}.bbox`)
      : readingsOf(text, shown)
  })
}
