/** The number of dead runners that is not yet suspicious. */
const unsuspicious = 2
/** The lowest probability: an execution that is not to blame should not wait for minutes. */
const lowest = 1 / 16

/**
 * The probability that one look for executions without a runner starts an execution again, by the number of runners that
 * died over it since its last recorded step. Whatever killed a process took every execution down that ran there: which one
 * it was shows only when they are started apart from each other. Each death halves the probability, which makes the
 * expected wait an exponential backoff; unlike a wait, it has no state that the next death of the process would erase.
 */
export const restartChance = (deaths: number): number =>
  Math.max(lowest, 0.5 ** Math.max(deaths - unsuspicious, 0))
