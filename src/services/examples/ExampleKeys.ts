import { layoutKeys } from "../../extraction/examples/Layout.ts"
import type { LayoutWord } from "../../domain/LearnedExample.ts"

/**
 * The keys by which examples of a layout are found; each contains its owner, so that no organization sees another's
 * examples.
 */
export const keysOf = (
  organizationId: string,
  environment: string,
  words: ReadonlyArray<LayoutWord>
): ReadonlyArray<string> => layoutKeys(words).map((key) => `${organizationId} ${environment} ${key}`)
