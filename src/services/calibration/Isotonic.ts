import type { Curve } from "./Curve.ts"
import { documentsOf, type Outcome, succession } from "./Observation.ts"

/** Neighbouring scores that share a confidence. */
export interface Block {
  readonly from: number
  readonly to: number
  readonly outcomes: ReadonlyArray<Outcome>
}

const merged = (a: Block, b: Block): Block => ({
  from: a.from,
  to: b.to,
  outcomes: [...a.outcomes, ...b.outcomes]
})

/** Blocks in the order of their scores, joined until `share` never decreases. */
const pooled = (blocks: Iterable<Block>, share: (block: Block) => number): Array<Block> => {
  const stack: Array<Block> = []
  for (const next of blocks) {
    let block = next
    for (let last = stack.at(-1); last !== undefined && share(last) >= share(block); last = stack.at(-1)) {
      block = merged(last, block)
      stack.pop()
    }
    stack.push(block)
  }
  return stack
}

/** The share of right values in a block. */
export const shareOf = ({ outcomes }: Block): number =>
  outcomes.filter(({ right }) => right).length / outcomes.length

const smoothed = (block: Block): number => succession(shareOf(block), documentsOf(block.outcomes))

const byScore = (outcomes: ReadonlyArray<Outcome>): Array<Block> =>
  [...Map.groupBy(outcomes, ({ score }) => score)]
    .sort(([a], [b]) => a - b)
    .map(([score, same]) => ({ from: score, to: score, outcomes: same }))

/**
 * Isotonic regression by pooling adjacent violators (Ayer et al. 1955; for confidences: Zadrozny and Elkan 2002): the shares
 * of right values that never fall with the score and fit the outcomes best, by squared error and by likelihood alike.
 */
export const isotonicBlocks = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<Block> =>
  pooled(byScore(outcomes), shareOf)

/**
 * The curve of the isotonic regression, each block smoothed by the rule of succession and pooled again if that broke
 * the order: strictly between 0 and 1, and cautious for small numbers.
 */
export const isotonicCurve = (outcomes: ReadonlyArray<Outcome>): Curve =>
  pooled(isotonicBlocks(outcomes), smoothed).flatMap((block) => {
    const confidence = smoothed(block)
    return block.from === block.to
      ? [[block.from, confidence] as const]
      : [[block.from, confidence] as const, [block.to, confidence] as const]
  })
