import type { Metric } from "effect"

type Attributes = Readonly<Record<string, string>>

/**
 * The series of a metric, by their attributes; all have the same names. `Metric.withAttributes` would put the name of the series
 * together for each update, which takes longer than the update.
 */
export const seriesOf = <A extends Attributes, Input, State>(
  make: (attributes: A) => Metric.Metric<Input, State>
): ((attributes: A) => Metric.Metric<Input, State>) => {
  const known = new Map<string, Metric.Metric<Input, State>>()
  return (attributes) => {
    const name = Object.values(attributes).join("\n")
    const found = known.get(name)
    if (found !== undefined) return found
    const made = make(attributes)
    known.set(name, made)
    return made
  }
}
