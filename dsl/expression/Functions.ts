import type { FunctionKind } from "./FunctionKind.ts"
import { listFunctions } from "./ArrayFunctions.ts"
import { numberFunctions } from "./NumberFunctions.ts"
import { textFunctions } from "./StringFunctions.ts"

/**
 * All functions that expressions can call; a name may have several overloads, which differ in the number of arguments.
 */
export const functions: ReadonlyArray<FunctionKind> = [...numberFunctions, ...textFunctions, ...listFunctions]

const byName = Map.groupBy(functions, (kind) => kind.name)

/** The overloads of the function of that name. */
export const functionsNamed = (name: string): ReadonlyArray<FunctionKind> => byName.get(name) ?? []

/** The names of all functions. */
export const functionNames: ReadonlyArray<string> = [...byName.keys()]
