import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import { problemNote } from "../elements/Elements.ts"
import { type Answer, ask, messageOf } from "../elements/Http.ts"

const testSet = "GET /api/v1/runs/:executionId/test-set"

const save = (name: string, address: string): void => {
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
}

const download = ({ document: file, name, text }: Answer<typeof testSet>): void => {
  save(name, `data:application/yaml;charset=utf-8,${encodeURIComponent(text)}`)
  if (file !== undefined) save(file.filename, `data:application/octet-stream;base64,${file.base64}`)
}

/** Gives the corrected and accepted values as a file that `docflow test` reads. */
export const TestSetButton = ({ id }: { readonly id: string }): ComponentChildren => {
  const [problem, setProblem] = useState<string>()
  const get = () => {
    setProblem(undefined)
    ask(testSet, { executionId: id }).then(download, (failure: unknown) => setProblem(messageOf(failure)))
  }
  return html`<button
      type="button"
      title="The values that were corrected or accepted, as a file for docflow test, with the document if the organization allows that. Otherwise put the document next to it."
      onClick=${get}
    >
      Download as test case
    </button>
    ${problemNote(problem)}`
}
