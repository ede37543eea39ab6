import type { Problems } from "./Problems.ts"

/** An expression without its `$`, as in other template languages; YAML parses it as a map or a plain string. */
const bare = /(?<![$\\{])\{\{\s*((?:steps|input|variables)\b[^{}\n]*?)\s*\}\}/gu

const mostReported = 10

/** Whether an offset is in a comment: after `#` at the start of a line or after white space. */
const isComment = (text: string, offset: number): boolean =>
  /(?:^|\s)#/u.test(text.slice(text.lastIndexOf("\n", offset) + 1, offset))

/** Reports `{{ steps.a }}` where `${{ steps.a }}` is meant; returns whether there is any. */
export const addBraceProblems = (problems: Problems): boolean => {
  const { text } = problems.source
  const found = [...text.matchAll(bare)].filter(({ index }) => !isComment(text, index)).slice(0, mostReported)
  for (const { 0: written, 1: expression = "", index } of found)
    problems.add(index, [], `${written} is not an expression.`, `Write \${{ ${expression} }}.`)
  return found.length > 0
}
