import type { Problem } from "../../../dsl/source/Problem.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import type { FlowFile } from "./FlowFiles.ts"

const problemAtTop = (file: FlowFile, path: string, message: string, suggestion: string): Problem => ({
  file: file.file,
  line: 1,
  column: 1,
  path,
  message,
  suggestion
})

/** The problem of a file whose id or version differs from its path. */
export const placeProblem = (
  file: FlowFile,
  { definition: { id, version } }: RunnableFlow
): Problem | undefined =>
  id === file.id && version === file.version
    ? undefined
    : problemAtTop(
        file,
        id === file.id ? "version" : "id",
        `The file contains ${id} ${version}, but its path says ${file.id} ${file.version}.`,
        `Move it to ${id}/${version}.yaml.`
      )

/** The problem of a file whose version has been published with other content. */
export const changedProblem = (file: FlowFile): Problem =>
  problemAtTop(
    file,
    "version",
    `Version ${file.version} of ${file.id} is published with other content; a published version never changes.`,
    "Give the changed flow a new version, in a file of its own."
  )
