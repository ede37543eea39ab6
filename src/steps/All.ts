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

/** Every step kind that docflow comes with. */
export const allSteps = StepRegistry.make([
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
])
