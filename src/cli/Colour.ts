/** Whether standard output is a terminal and NO_COLOR is not set. */
export const isColoured = (): boolean => process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === ""

const paint = (code: number, text: string): string => `\u001B[${code}m${text}\u001B[0m`
const [bold, red, green, cyan, dim] = [1, 31, 32, 36, 2]

/** A report of problems in colour: places bold, carets red, advice cyan. */
export const coloured = (report: string): string => report.split("\n").map(colouredLine).join("\n")

const colouredLine = (line: string): string => {
  if (/^ +\| +\^$/u.test(line)) return line.replace("^", paint(red, "^"))
  if (line.startsWith("  help: ")) return paint(cyan, line)
  if (/^ +\d+ \| /u.test(line))
    return line.replace(/^( +\d+ \| )(.*)$/u, (_, gutter: string, text: string) => paint(dim, gutter) + text)
  if (/^\d+ problems?$/u.test(line)) return paint(red, line)
  if (line.endsWith(" has no problems")) return paint(green, line)
  return line.replace(/^\S+:\d+:\d+:/u, (place) => paint(bold, place))
}
