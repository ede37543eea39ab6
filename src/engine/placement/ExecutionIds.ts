import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Dispatcher } from "./Dispatcher.ts"
import { Runner } from "./Runner.ts"

/** The number of ids that are drawn for one that this process is responsible for: with ten processes, 97 % find one. */
const mostDraws = 32

const draw = Effect.map(
  SecureRandom.SecureRandom.use(({ ulid }) => ulid),
  (id) => `exec_${id}`
)

/**
 * Makes ids of new executions. An id decides which process runs the execution. To hand it over costs as much as to run a
 * short one, so the id is one of this process unless many executions wait here; otherwise it is any process's.
 */
export const makeExecutionIds = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const dispatcher = yield* Dispatcher
  const runner = yield* Runner
  const newId = Effect.fnUntraced(
    function* () {
      let id = yield* draw
      if (runner.isBusy()) return id
      for (let draws = 1; draws < mostDraws && !dispatcher.isOurs(id); draws++) id = yield* draw
      return id
    },
    Effect.provideService(SecureRandom.SecureRandom, random)
  )
  return {
    newId,
    /** Whether an execution would start soon, and in this process. */
    startsSoonHere: (executionId: string): boolean => dispatcher.isOurs(executionId) && !runner.isBusy()
  }
})
