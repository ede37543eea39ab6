import { parseDate } from "./Dates.ts"
import type { Field } from "../Field.ts"
import { around } from "../page/PageModel.ts"
import type { Ranked } from "./Ranked.ts"
import type { Reading } from "../page/Reading.ts"
import { textOfWords } from "../../../domain/LineText.ts"

/** What recognition sees in the dashes and dots of a date printed badly. */
const specks = /[“”"'‘’°•~_|`´*:;,©]/gu
const broken = /(?<!\d)(\d{1,2})\s*[-/. ]\s*[-/. ]*(\d{1,2})\s*[-/. ]\s*[-/. ]*(20\d{2})(?!\d)/u

/**
 * Dates next to their label that recognition took apart: `Date : 23 “06- 2018`. Only asked where no whole date is found,
 * and never very sure.
 */
export const misreadDates = (reading: Reading, field: Field): Array<Ranked<string>> =>
  reading.labels
    .filter(({ label }) => label.names && label.field === field.name)
    .flatMap(({ span, quality }): Array<Ranked<string>> => {
      const tokens = (reading.pages[span.page]?.rows[span.row] ?? []).slice(span.to + 1)
      const text = textOfWords(tokens)
      const [, day = "", month = "", year = ""] = broken.exec(text.replace(specks, " ")) ?? []
      const value = parseDate(`${day}/${month}/${year}`, reading.dateOrder)?.iso
      if (value === undefined) return []
      const place = { ...span, from: span.to + 1, to: span.to + tokens.length }
      return [{ span: place, bbox: around(tokens), text, value, quality: 0.6, score: 0.6 * quality }]
    })
