import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { reference } from "../../dsl/Reference.ts"
import { LocalRuns } from "../LocalRuns.ts"

/** `docflow reference`: the flow language, from its schemas; `docs/flow-language.md` is made with it. */
export const referenceCommand = Command.make("reference", {}, () =>
  Effect.flatMap(LocalRuns, ({ registry }) => Console.log(reference(registry).trimEnd()))
).pipe(Command.withDescription("Print the reference of the flow language, with all step kinds, as Markdown"))
