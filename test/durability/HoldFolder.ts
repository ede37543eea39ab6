import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { acquire } from "../../src/sql/FolderLock.ts"

/** A program that takes the folder of its first argument, prints `held` or why it cannot, and holds it until it is killed. */
const hold = Effect.gen(function* () {
  yield* acquire(process.argv[2] ?? "")
  yield* Console.log("held")
  return yield* Effect.never
}).pipe(
  Effect.catchTag(["FolderInUse", "FolderNotWritable"], ({ message }) => Console.log(message)),
  Effect.scoped,
  Effect.provide(NodeServices.layer)
)

NodeRuntime.runMain(hold)
