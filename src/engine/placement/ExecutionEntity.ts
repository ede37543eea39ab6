import { Schema } from "effect"
import { ClusterSchema, Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"

/**
 * Runs the execution; if its runner stops, it is interrupted and runs elsewhere. The message itself is not stored: the
 * execution's row contains everything, and `Recovery` sends lost messages again.
 */
const Run = Rpc.make("Run", {
  payload: {
    executionId: Schema.String,
    organizationId: Schema.String,
    waited: Schema.Boolean
  },
  primaryKey: () => "run"
}).annotate(ClusterSchema.InterruptOnTermination, true)

/** An execution in the cluster: its id is the execution's id, which decides what process runs it. */
export const ExecutionEntity = Entity.make("Execution", [Run])
