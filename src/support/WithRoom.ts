import { Context } from "effect"

/** The number of services that a run or a request adds one within the other, before all are copied. */
const room = 24

/** The same services, to which more can be added without a copy. */
export const withRoom = <R>(services: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(services.mapUnsafe, { maxDepth: room })
