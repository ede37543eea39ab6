import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Dispatcher } from "./Dispatcher.ts"
import { Runner } from "./Runner.ts"

/** The number of ids that are drawn for one that this process is responsible for: with ten processes, 97 % find one. */
const mostDraws = 32
/** The expected wait up to which an execution stays in this process, in milliseconds. */
const shortWait = 50
/** The expected wait up to which an execution starts soon, in milliseconds: what is read for it meanwhile is kept longer. */
const soon = 2_000

const draw = Effect.map(
  SecureRandom.SecureRandom.use(({ ulid }) => ulid),
  (id) => `exec_${id}`
)

/**
 * Makes ids of new executions. An id decides which process runs the execution. To hand it over costs as much as to run a
 * short one, so the id is one of this process as long as executions hardly wait here; otherwise it is any process's.
 */
export const makeExecutionIds = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const dispatcher = yield* Dispatcher
  const runner = yield* Runner
  const newId = Effect.fnUntraced(
    function* (organizationId: string) {
      let id = yield* draw
      if (runner.expectedWait(organizationId) > shortWait) return id
      for (let draws = 1; draws < mostDraws && !dispatcher.isOurs(id); draws++) id = yield* draw
      return id
    },
    Effect.provideService(SecureRandom.SecureRandom, random)
  )
  return {
    newId,
    /** Whether an execution of an organization would start soon, and in this process. */
    startsSoonHere: (executionId: string, organizationId: string): boolean =>
      dispatcher.isOurs(executionId) && runner.expectedWait(organizationId) < soon
  }
})
