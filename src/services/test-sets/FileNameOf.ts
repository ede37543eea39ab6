/** The ends of file names, for documents that were sent without a name. */
const endings: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/tiff": ".tiff",
  "message/rfc822": ".eml"
}

/**
 * The name of an exported document: it begins with the execution, so that none replaces another, and has no character that
 * could lead out of its folder.
 */
export const fileNameOf = (executionId: string, given = "", mimeType = ""): string => {
  const own = /\.\w{1,8}$/u.exec(given)?.[0] ?? ""
  const stem = given
    .slice(0, given.length - own.length)
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, "_")
    .slice(0, 80)
  const ending = own === "" ? (endings[mimeType] ?? "") : own
  return `${executionId}${stem === "" ? "" : `-${stem}`}${ending}`
}
