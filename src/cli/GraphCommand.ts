import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { toMermaid } from "../../dsl/tools/Mermaid.ts"
import { toSvg } from "../../dsl/tools/Svg.ts"
import { flowFileOf, openFlow } from "./FlowArgument.ts"

const flow = Argument.String("flow").pipe(
  Argument.withDescription("A flow's id (its newest version in the flows folder) or a flow file")
)
const svg = Flag.Boolean("svg").pipe(
  Flag.withDescription("Print a drawing (SVG) instead of Mermaid"),
  Flag.withDefault(false)
)

/** `docflow graph`: the steps of a flow as a picture. */
export const graphCommand = Command.make("graph", { flow, svg }, (input) =>
  Effect.gen(function* () {
    const { definition } = yield* openFlow(yield* flowFileOf(input.flow))
    yield* Console.log((input.svg ? toSvg(definition) : toMermaid(definition)).trimEnd())
  })
).pipe(Command.withDescription("Draw the steps of a flow: as a Mermaid flowchart, or as SVG"))
