import { manyPages } from "../fixtures/Pdfs.ts"

/** Bytes in base64. */
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

const made = new Map<number, Promise<string>>()

/** A PDF of a number of pages, in base64; made once in a test file. */
export const pdf = (pages = 1): Promise<string> => {
  const known = made.get(pages) ?? manyPages(pages).then(base64)
  made.set(pages, known)
  return known
}

/** The body of a run of a PDF; `rest` are the run's other fields. Unless they say otherwise, it waits as long as a run can. */
export const runOf = async (
  rest: { readonly variables?: unknown; readonly pages?: number; readonly [field: string]: unknown } = {}
): Promise<Record<string, unknown>> => {
  const { pages = 1, variables, ...fields } = rest
  const document = { base64: await pdf(pages) }
  return {
    ...(fields["wait"] === true ? { timeout: 60_000 } : {}),
    ...fields,
    input: variables === undefined ? { document } : { document, variables }
  }
}
