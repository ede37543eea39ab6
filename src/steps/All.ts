import * as StepRegistry from "../../dsl/StepRegistry.ts"
import { extract } from "./Extract.ts"
import { fail } from "./Fail.ts"
import { parse } from "./Parse.ts"
import { tables } from "./Tables.ts"
import { transform } from "./Transform.ts"
import { validate } from "./Validate.ts"

/** Every step kind that docflow comes with. */
export const allSteps = StepRegistry.make([parse, extract, tables, validate, transform, fail])
