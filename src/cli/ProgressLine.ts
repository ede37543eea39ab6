/** Shows a line of progress, redrawn in place; nothing if standard error is not a terminal. */
export const showProgress = (quiet: boolean) => {
  const isShown = process.stderr.isTTY && !quiet
  return {
    show: (text: string): void => {
      // A line that wraps could not be redrawn in place.
      if (isShown)
        process.stderr.write(`\r\u001B[K${text.slice(0, Math.max(20, process.stderr.columns - 1))}`)
    },
    clear: (): void => {
      if (isShown) process.stderr.write("\r\u001B[K")
    }
  }
}
