import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import { problemNote } from "./Elements.ts"
import { messageOf, read } from "./Http.ts"

interface TestSet {
  readonly name: string
  readonly text: string
}

const download = ({ name, text }: TestSet): void => {
  const link = document.createElement("a")
  link.href = `data:application/yaml;charset=utf-8,${encodeURIComponent(text)}`
  link.download = name
  link.click()
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
      title="The values that were corrected or accepted, as a file for docflow test. Put the document next to it."
      onClick=${get}
    >
      Download as test case
    </button>
    ${problemNote(problem)}`
}
