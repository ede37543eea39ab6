import { useState } from "preact/hooks"
import type { ExecutionView } from "../../ExecutionView.ts"
import { messageOf, post } from "../elements/Http.ts"
import { navigate } from "../elements/Router.ts"

/** Goes to the next document that waits for review, or says that there is none. */
export const useNextDocument = ({
  execution: { id },
  organization
}: ExecutionView): { readonly told: string | undefined; readonly go: () => void } => {
  const [told, tell] = useState<string>()
  const go = () => {
    const next = `/organizations/${organization.id}/reviews/next?after=${id}`
    post<{ readonly executionId: string | null }>(next).then(
      ({ executionId }) =>
        executionId === null
          ? tell("No other document waits for review.")
          : navigate(`/dashboard/executions/${executionId}`),
      (failure: unknown) => tell(messageOf(failure))
    )
  }
  return { told, go }
}
