import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { editorSchema } from "../../dsl/tools/EditorSchema.ts"
import { reference } from "../../dsl/tools/Reference.ts"
import { LocalRuns } from "../services/local-runs/LocalRuns.ts"

const schema = Flag.Boolean("schema").pipe(
  Flag.withDescription("Print the JSON Schema of flow files instead, for editors"),
  Flag.withDefault(false)
)

/** `docflow reference`: the flow language, from its schemas; `docs/flow-language.md` is made with it. */
export const referenceCommand = Command.make("reference", { schema }, (input) =>
  Effect.flatMap(LocalRuns, ({ registry }) =>
    Console.log(
      input.schema ? JSON.stringify(editorSchema(registry), null, 2) : reference(registry).trimEnd()
    )
  )
).pipe(Command.withDescription("Print the reference of the flow language, with all step kinds, as Markdown"))
