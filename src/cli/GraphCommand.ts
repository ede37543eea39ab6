import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { toMermaid } from "../../dsl/tools/Mermaid.ts"
import { flowFileOf, openFlow } from "./FlowArgument.ts"

const flow = Argument.String("flow").pipe(
  Argument.withDescription("A flow's id (its newest version in the flows folder) or a flow file")
)

/** `docflow graph`: the steps of a flow as a flowchart. */
export const graphCommand = Command.make("graph", { flow }, (input) =>
  Effect.gen(function* () {
    const { definition } = yield* openFlow(yield* flowFileOf(input.flow))
    yield* Console.log(toMermaid(definition).trimEnd())
  })
).pipe(Command.withDescription("Draw the steps of a flow as a Mermaid flowchart"))
