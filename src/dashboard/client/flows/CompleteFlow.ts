import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete"
import type { OfferedWords } from "../../FlowsGroup.ts"
import { post } from "../elements/Http.ts"

const types = { key: "property", value: "enum", name: "variable" } as const

/** What the service offers at the cursor; nothing if it cannot be asked, because typing goes on without it. */
const offered = async ({
  explicit,
  matchBefore,
  pos,
  state
}: Pick<CompletionContext, "explicit" | "pos" | "state"> & {
  readonly matchBefore: boolean
}): Promise<CompletionResult | null> => {
  if (!explicit && !matchBefore) return null
  const found = await post<OfferedWords>("/drafts/complete", {
    source: state.doc.toString(),
    position: pos
  }).catch(() => undefined)
  if (found === undefined || found.words.length === 0) return null
  return {
    from: found.from,
    validFor: /^[\w/-]*$/u,
    options: found.words.map(({ info = "", kind, label }, index) => ({
      label,
      type: types[kind],
      info,
      apply: kind === "key" && state.sliceDoc(pos, pos + 1) !== ":" ? `${label}: ` : label,
      // The service's order: what is required comes first.
      boost: Math.max(-99, -index)
    }))
  }
}

/** Offers keys, values and names while a flow is typed, and on Ctrl+Space. */
export const completeFlow = autocompletion({
  icons: false,
  override: [
    (context) =>
      offered({
        explicit: context.explicit,
        pos: context.pos,
        state: context.state,
        matchBefore: context.matchBefore(/[\w/-]+|: |\.|- /u) !== null
      })
  ]
})
