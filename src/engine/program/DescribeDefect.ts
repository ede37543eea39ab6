/** Where a defect happened, without its message, which may contain text of the document. */
export const describeDefect = (defect: unknown): string =>
  defect instanceof Error
    ? [defect.name, ...(defect.stack ?? "").split("\n").filter((line) => /^\s+at /u.test(line))].join("\n")
    : typeof defect
