/** What expressions see while a flow runs. A step that was skipped or that failed with `onError: continue` is null in `steps`. */
export interface Scope {
  readonly input: unknown
  readonly variables: unknown
  readonly steps: { readonly [id: string]: unknown }
  /** The element at hand inside a loop. */
  readonly item?: unknown
}
