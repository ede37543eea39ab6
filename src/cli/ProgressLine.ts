import { printable } from "./TerminalConsole.ts"

/** Columns of a terminal that does not say how many it has. */
const usualColumns = 80

/** Shows a line of progress, redrawn in place; nothing if standard error is not a terminal. */
export const showProgress = (quiet: boolean) => {
  const isShown = process.stderr.isTTY && !quiet
  return {
    show: (text: string): void => {
      if (!isShown) return
      // A line that wraps could not be redrawn in place.
      const most = Math.max(20, (process.stderr.columns || usualColumns) - 1)
      process.stderr.write(`\r\u001B[K${printable(text).slice(0, most)}`)
    },
    clear: (): void => {
      if (isShown) process.stderr.write("\r\u001B[K")
    }
  }
}
