import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { flowFileOf, openFlow } from "./FlowArgument.ts"
import { typeNameOf, typeText } from "./OutputTypes.ts"

const flow = Argument.String("flow").pipe(
  Argument.withDescription("A flow's id (its newest version in the flows folder) or a flow file")
)

/** `docflow types`: the output of a flow as a TypeScript type, for the client. */
export const typesCommand = Command.make("types", { flow }, (input) =>
  Effect.gen(function* () {
    const { definition, outputSchema } = yield* openFlow(yield* flowFileOf(input.flow))
    const { id, version } = definition
    yield* Console.log(
      `/** Output of the flow ${id} ${version}, written by \`docflow types ${id}\`. */\nexport type ${typeNameOf(id)} = ${typeText(outputSchema)}`
    )
  })
).pipe(Command.withDescription("Print the output of a flow as a TypeScript type, for the client"))
