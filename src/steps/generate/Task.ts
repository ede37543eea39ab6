import { type JsonSchema, UndefinedOr } from "effect"
import type { LlmRequest } from "../../providers/llm/Llm.ts"
import { notice } from "../models/Quoted.ts"
import { defined } from "../../support/Defined.ts"

/** The task of a model. */
export interface Task {
  readonly prompt: string
  readonly system?: string
  readonly maxTokens: number
  readonly schema?: JsonSchema.JsonSchema
}

/** A request without its content. */
export type Frame = Omit<LlmRequest, "content">

const frame = (instructions: ReadonlyArray<string>, { maxTokens, schema }: Task): Frame => ({
  instructions: instructions.join("\n\n"),
  maxTokens,
  ...defined({ schema: UndefinedOr.map(schema, (asked) => ({ name: "answer", schema: asked })) })
})

const told = ({ prompt, system }: Task): ReadonlyArray<string> =>
  system === undefined ? [prompt] : [system, prompt]

/** A prompt alone is the question itself, whatever text the flow has put into it. */
export const aboutNothing = (task: Task): Frame =>
  frame([task.system ?? "Do what you are asked, and nothing else."], task)

/** A prompt about a document, which is shown apart from it. */
export const aboutDocument = (task: Task): Frame => frame([...told(task), notice], task)

/** A prompt about a document of which only a part is shown. */
export const aboutPart = (task: Task): Frame =>
  frame(
    [
      ...told(task),
      "The document is longer than you can be shown at once. You are shown some of its pages: answer from them alone, with everything in them that matters. The answers about all parts will be joined.",
      notice
    ],
    task
  )

/** The same prompt once more, about what was answered to it for each part of the document. */
export const joining = (task: Task): Frame =>
  frame(
    [
      ...told(task),
      "The document was too long to be shown at once. In its place you are shown what was answered about each of its parts, in their order: make one answer about the whole document of them.",
      notice
    ],
    task
  )
