/** The value on a line: what follows its dashes and its key. */
export const valueOfLine = (line: string): string =>
  /^\s*(?:- +)*(?:[^\s"'#{[:][^:"']*:\s+)?(.*?)\s*$/u.exec(line)?.[1] ?? ""

/** A value as it would be within quotes: without those that it has, and of an object or array the first expression. */
const contentOf = (value: string): string => {
  const quote = /^["']/u.exec(value)?.[0]
  if (quote !== undefined) return value.slice(1, value.endsWith(quote) ? -1 : undefined)
  return /^[[{]/u.test(value) ? (/\$\{\{.*?\}\}/u.exec(value)?.[0] ?? value) : value
}

/** How to quote a value that YAML cannot read as it is: in quotes of the kind that is not inside it. */
export const quoteAdvice = (value: string): string => {
  const content = contentOf(value)
  const hasExpression = content.includes("${{")
  const whole = hasExpression ? "the whole value, with its ${{ … }}," : "the whole value"
  if (!content.includes('"')) return `Put ${whole} in double quotes.`
  if (!content.includes("'")) return `Put ${whole} in single quotes.`
  return hasExpression
    ? "Use only single quotes inside ${{ … }}, and put the whole value in double quotes."
    : String.raw`Put the whole value in double quotes, and write \" for those inside.`
}
