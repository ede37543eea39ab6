import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import { problemNote } from "../elements/Elements.ts"
import { messageOf, read } from "../elements/Http.ts"

interface TestSet {
  readonly name: string
  readonly text: string
  readonly document?: { readonly filename: string; readonly base64: string }
}

const save = (name: string, address: string): void => {
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
}

const download = ({ document: file, name, text }: TestSet): void => {
  save(name, `data:application/yaml;charset=utf-8,${encodeURIComponent(text)}`)
  if (file !== undefined) save(file.filename, `data:application/octet-stream;base64,${file.base64}`)
}

/** Gives the corrected and accepted values as a file that `docflow test` reads. */
export const TestSetButton = ({ id }: { readonly id: string }): ComponentChildren => {
  const [problem, setProblem] = useState<string>()
  const get = () => {
    setProblem(undefined)
    read<TestSet>(`/executions/${id}/test-set`).then(download, (failure: unknown) =>
      setProblem(messageOf(failure))
    )
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
