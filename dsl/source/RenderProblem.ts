import type { Problem } from "./Problem.ts"

const widest = 160

/**
 * Renders a problem as a compiler does: the position, the line with a caret under it, and what to do about it.
 *
 * @param text the text of the file, for the line
 */
export const renderProblem = (problem: Problem, text: string): string => {
  const where = `${problem.file}:${problem.line}:${problem.column}`
  const path = problem.path === "" ? "" : ` (${problem.path})`
  const help = problem.suggestion === undefined ? [] : [`  help: ${problem.suggestion}`]
  return [`${where}: ${problem.message}${path}`, ...sourceLine(problem, text), ...help].join("\n")
}

/** All problems, a blank line between them, and how many there are. */
export const renderProblems = (problems: ReadonlyArray<Problem>, text: string): string => {
  if (problems.length === 0) return ""
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`
  return [...problems.map((problem) => renderProblem(problem, text)), count].join("\n\n")
}

const sourceLine = (problem: Problem, text: string): ReadonlyArray<string> => {
  const line = text.split(/\r?\n/u, problem.line)[problem.line - 1]?.replace(/^\uFEFF/u, "")
  if (line === undefined || line.trim() === "") return []
  const from = problem.column > widest - 20 ? problem.column - 60 : 0
  const shown = line.slice(from, from + widest)
  const gutter = String(problem.line)
  const indent = shown.slice(0, problem.column - 1 - from).replaceAll(/[^\t]/gu, " ")
  return [`  ${gutter} | ${shown}`, `  ${" ".repeat(gutter.length)} | ${indent}^`]
}
