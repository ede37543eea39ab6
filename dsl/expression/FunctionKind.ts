import * as Type from "../types/Type.ts"
import { type Budget, isList, spend } from "../types/Values.ts"

/** A parameter of a function. */
export interface Parameter<A> {
  readonly words: string
  /** Whether it accepts a type, null aside. */
  readonly accepts: (type: Type.Type) => boolean
  /** Whether values of an accepted type may still fail `is`, next to null: elements that are null, for instance. */
  readonly uncertain: (type: Type.Type) => boolean
  readonly is: (value: unknown) => value is A
}

/** The type of a result: fixed, or derived from the types of the arguments, none of which is null. */
export type ResultType = Type.Type | ((types: ReadonlyArray<Type.Type>) => Type.Type)

/** A function of the expression language. Its arguments are never null: a null argument makes the result null. */
export interface FunctionKind {
  readonly name: string
  readonly description: string
  /** How it is written, for messages and the reference. */
  readonly usage: string
  readonly parameters: ReadonlyArray<Parameter<unknown>>
  readonly result: ResultType
  readonly run: (values: ReadonlyArray<unknown>, budget: Budget) => unknown
}

/** The members of a type, without null. */
export const given = (type: Type.Type) => Type.members(Type.withoutNull(type))

const isOneOf =
  (...kinds: ReadonlyArray<Type.Type["kind"]>) =>
  (type: Type.Type): boolean =>
    given(type).every((member) => member.kind === "any" || kinds.includes(member.kind))

const certain = (): boolean => false

const isText = (value: unknown): value is string => typeof value === "string"
const isNumber = (value: unknown): value is number => typeof value === "number"

export const text: Parameter<string> = {
  words: "a string",
  accepts: isOneOf("string"),
  uncertain: certain,
  is: isText
}
export const number: Parameter<number> = {
  words: "a number",
  accepts: isOneOf("number"),
  uncertain: certain,
  is: isNumber
}

export const anything: Parameter<unknown> = {
  words: "a value",
  accepts: () => true,
  uncertain: certain,
  is: (_value): _value is unknown => true
}

export const scalar: Parameter<string | number | boolean> = {
  words: "a string, a number or a boolean",
  accepts: isOneOf("string", "number", "boolean"),
  uncertain: certain,
  is: (value): value is string | number | boolean => ["string", "number", "boolean"].includes(typeof value)
}

export const object: Parameter<{ readonly [name: string]: unknown }> = {
  words: "an object",
  accepts: isOneOf("object"),
  uncertain: certain,
  is: (value): value is { readonly [name: string]: unknown } =>
    typeof value === "object" && value !== null && !isList(value)
}

export const list: Parameter<ReadonlyArray<unknown>> = {
  words: "an array",
  accepts: isOneOf("list"),
  uncertain: certain,
  is: isList
}

/** The types of a list's elements. */
export const elementTypes = (type: Type.Type): ReadonlyArray<Type.Type> =>
  given(type).flatMap((member) => (member.kind === "list" ? [member.items] : [Type.any]))

const listOf = <A>(words: string, parameter: Parameter<A>): Parameter<ReadonlyArray<A>> => ({
  words,
  accepts: (type) => isOneOf("list")(type) && elementTypes(type).every(parameter.accepts),
  uncertain: (type) =>
    elementTypes(type).some((items) => Type.mayBeNull(items) || parameter.uncertain(items)),
  is: (value): value is ReadonlyArray<A> => isList(value) && value.every(parameter.is)
})

export const numbers = listOf("an array of numbers", number)
export const texts = listOf("an array of strings", text)
export const lists = listOf("an array of arrays", list)

/** Numbers or strings, but not both: values that can be ordered. */
export const ordered: Parameter<ReadonlyArray<number> | ReadonlyArray<string>> = {
  words: "an array of numbers or of strings",
  accepts: (type) => numbers.accepts(type) || texts.accepts(type),
  uncertain: (type) => numbers.uncertain(type),
  is: (value): value is ReadonlyArray<number> | ReadonlyArray<string> => numbers.is(value) || texts.is(value)
}

type Values<P extends ReadonlyArray<Parameter<unknown>>> = {
  readonly [I in keyof P]: P[I] extends Parameter<infer A> ? A : never
}

/** Defines a function that takes exactly these arguments. */
export const define = <const P extends ReadonlyArray<Parameter<unknown>>>(
  usage: string,
  parameters: P,
  result: ResultType,
  description: string,
  run: (values: Values<P>, budget: Budget) => unknown
): FunctionKind => ({
  name: usage.slice(0, usage.indexOf("(")),
  usage,
  description,
  parameters,
  result,
  run: (values, budget) =>
    spendArrays(values, budget) && fit(parameters, values) ? run(values, budget) : null
})

/** Arrays are scanned to see whether their elements fit, and most functions scan them once more. */
const spendArrays = (values: ReadonlyArray<unknown>, budget: Budget): boolean =>
  values.every((value) => !isList(value) || spend(budget, value.length / 16))

const fit = <P extends ReadonlyArray<Parameter<unknown>>>(
  parameters: P,
  values: ReadonlyArray<unknown>
): values is ReadonlyArray<unknown> & Values<P> =>
  parameters.every((parameter, index) => parameter.is(values[index]))
