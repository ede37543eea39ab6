/** The options before a command's name that have a value of their own. */
const withValue: ReadonlySet<string> = new Set(["--log-level", "--steps", "--completions"])

/** The name of the command in a command line, after the options that apply to all commands; undefined if there is none. */
export const commandName = ([first, ...rest]: ReadonlyArray<string>): string | undefined => {
  if (first === undefined || !first.startsWith("-")) return first
  return commandName(withValue.has(first) ? rest.slice(1) : rest)
}
