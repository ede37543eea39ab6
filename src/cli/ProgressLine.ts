/** A line of progress on a terminal, redrawn in place; nothing where standard error is no terminal. */
export const showProgress = (name: string, quiet: boolean) => {
  const isShown = process.stderr.isTTY && !quiet
  return {
    show: (step: string, percentage: number): void => {
      if (isShown) process.stderr.write(`\r\u001B[K${name}: ${step} ${Math.round(percentage)} %`)
    },
    clear: (): void => {
      if (isShown) process.stderr.write("\r\u001B[K")
    }
  }
}
