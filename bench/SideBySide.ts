/** How often something is done a second when `atOnce` callers do it `count` times together. */
export const rateOf = async (one: () => Promise<unknown>, count: number, atOnce: number): Promise<number> => {
  let begun = 0
  const startedAt = performance.now()
  const caller = async () => {
    while (begun++ < count) await one()
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  return (count / (performance.now() - startedAt)) * 1000
}

/** The middle one of some numbers. */
export const medianOf = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** A contender of a comparison. */
export interface Contender {
  readonly name: string
  readonly one: () => Promise<unknown>
}

/**
 * Measures contenders in turns, so that none has the quieter machine, and reports their median rates with the ratio of the
 * first to each. Returns these ratios.
 */
export const compare = async (
  contenders: ReadonlyArray<Contender>,
  { atOnce, count, rounds }: { readonly atOnce: number; readonly count: number; readonly rounds: number }
): Promise<ReadonlyArray<number>> => {
  const rates = contenders.map((): Array<number> => [])
  for (const { one } of contenders) await rateOf(one, Math.ceil(count / 4), atOnce)
  for (let round = 0; round < rounds; round++) {
    for (const [index, { one }] of contenders.entries()) rates[index]?.push(await rateOf(one, count, atOnce))
  }
  const medians = rates.map(medianOf)
  const ratios = medians.map((median) => (medians[0] ?? 0) / median)
  console.log(`${"".padEnd(44)}${"per second".padStart(12)}${"ratio".padStart(8)}`)
  for (const [index, { name }] of contenders.entries()) {
    const cells = [(medians[index] ?? 0).toFixed(0).padStart(12), (ratios[index] ?? 0).toFixed(2).padStart(8)]
    console.log(`${name.padEnd(44)}${cells.join("")}`)
  }
  return ratios
}
