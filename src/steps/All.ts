import * as StepRegistry from "../../dsl/model/StepRegistry.ts"
import { classify } from "./Classify.ts"
import { combine } from "./Combine.ts"
import { extract } from "./Extract.ts"
import { fail } from "./Fail.ts"
import { flow } from "./Flow.ts"
import { generate } from "./Generate.ts"
import { lookup } from "./Lookup.ts"
import { parse } from "./Parse.ts"
import { split } from "./Split.ts"
import { tables } from "./Tables.ts"
import { transform } from "./Transform.ts"
import { validate } from "./Validate.ts"

/** The step kinds that docflow comes with, by name. */
export const steps = {
  parse,
  split,
  classify,
  extract,
  tables,
  validate,
  transform,
  combine,
  generate,
  lookup,
  fail,
  flow
}

/** Every step kind that docflow comes with, as flows find them. */
export const allSteps = StepRegistry.make(Object.values(steps))
