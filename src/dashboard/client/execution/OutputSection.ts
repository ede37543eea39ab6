import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { loading } from "../elements/Elements.ts"
import { call } from "../elements/Http.ts"
import { jsonView } from "../elements/JsonView.ts"
import { useResource } from "../elements/UseResource.ts"

/** How long the output waits for the pages of the document, in milliseconds. */
const afterPages = 400

/** The output of an execution, which may be large: it is loaded after the first pages of the document. */
export const OutputSection = ({ id }: { readonly id: string }): ComponentChildren => {
  const [isTurn, setTurn] = useState(false)
  const { data, problem } = useResource(
    isTurn ? call("GET /api/v1/runs/:executionId", { executionId: id }) : undefined
  )
  useEffect(() => {
    const timer = setTimeout(() => setTurn(true), afterPages)
    return () => clearTimeout(timer)
  }, [])
  return data === undefined ? loading(problem) : jsonView("Output", data.output)
}
