import { RE2JS } from "re2js"
import type { Candidate } from "../layout/Candidate.ts"
import { around } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { textOfWords } from "../../domain/LineText.ts"

/**
 * Everything that matches a flow's own regular expression, row by row: its first group, or the whole match. RE2 takes
 * linear time, whatever the expression.
 */
export const patternMatches = (reading: Reading, pattern: string): Array<Candidate<string>> => {
  const expression = RE2JS.compile(pattern)
  const found: Array<Candidate<string>> = []
  for (const [page, model] of reading.pages.entries()) {
    for (const [row, tokens] of model.rows.entries()) {
      const text = textOfWords(tokens)
      const matcher = expression.matcher(text)
      while (matcher.find()) {
        const group = matcher.groupCount() > 0 && matcher.group(1) !== null ? 1 : 0
        const whole = matcher.group(group) ?? ""
        const value = whole.trim()
        if (value === "") continue
        const start = matcher.start(group) + whole.length - whole.trimStart().length
        const before = text.slice(0, start).split(" ").length - 1
        const to = before + value.split(" ").length - 1
        const taken = tokens.slice(before, to + 1)
        if (taken.length === 0) break
        found.push({
          span: { page, row, from: before, to },
          bbox: around(taken),
          text: value,
          value,
          quality: 1
        })
      }
    }
  }
  return found
}
