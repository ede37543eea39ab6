import { hash } from "node:crypto"

/** A number from 0 to `of` - 1 that is always the same for a string. */
export const bucket = (text: string, of: number): number =>
  parseInt(hash("sha256", text).slice(0, 8), 16) % of

/** A quarter of the families of the corpus is never fitted on, nor are the project's own pages. */
export const isHeldOut = ({
  family,
  source
}: {
  readonly family: string
  readonly source: string
}): boolean => source === "written" || (source === "open" && bucket(family, 4) === 0)
