import { layoutKeys } from "../../document/examples/Layout.ts"
import type { LayoutWord } from "../../domain/LearnedExample.ts"

/** The form of the keys that this program makes: examples with keys of an older form are given new ones. */
export const formOfKeys = 2

/**
 * The keys by which examples of a layout are found; each contains its owner, so that no organization sees another's
 * examples.
 */
export const keysOf = (
  organizationId: string,
  environment: string,
  words: ReadonlyArray<LayoutWord>
): ReadonlyArray<string> => layoutKeys(words).map((key) => `${organizationId} ${environment} ${key}`)
