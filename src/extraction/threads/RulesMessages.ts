import type { Page } from "../../domain/DocumentIR.ts"
import type { DateOrder } from "../values/Dates.ts"
import type { FieldDefinition } from "../fields/FieldDefinition.ts"
import type { Lexicon, LexiconParts } from "../lexicon/Lexicon.ts"
import type { KindVerdict } from "../kinds/DocumentKind.ts"
import type { RulesResult } from "../rules/Rules.ts"

/**
 * What the process tells a thread of rules: the pages of a document with their lines, in parts, and then what to look for in it. A
 * part that goes on has further lines of the page before.
 */
export type ToRules =
  | { readonly ask: "hold"; readonly id: number; readonly page: Page; readonly goesOn: boolean }
  | {
      readonly ask: "read"
      readonly id: number
      readonly definitions: Readonly<Record<string, FieldDefinition>>
      readonly relations: ReadonlyArray<string>
      readonly dateOrder: DateOrder | undefined
      readonly today: string
    }
  | { readonly ask: "stop"; readonly id: number }

/** The `workerData` of a thread: a lexicon, or the folder of the user's own lexicon, if any, for the thread to read. */
export type StartOfThread = { readonly lexicon: LexiconParts } | { readonly folder: string | undefined }

/** The `workerData` of a thread for a user's folder, with the lexicon if the process holds it. */
export const startOfThread = (folder: string | undefined, lexicon: Lexicon | undefined): StartOfThread =>
  lexicon === undefined
    ? { folder }
    : { lexicon: { languages: lexicon.languages, countries: [...lexicon.countries.values()] } }

/** What rules found, with the document's kind if they needed it, or the defect that they ended with. */
export type AnswerOfRules =
  | {
      readonly tell: "found"
      readonly id: number
      readonly result: RulesResult
      readonly kind: KindVerdict | undefined
    }
  | { readonly tell: "defect"; readonly id: number; readonly reason: string }

/** What a thread tells: that it has loaded its program, and then an answer to each question. */
export type FromRules = { readonly tell: "ready" } | AnswerOfRules

const has = (message: unknown, key: string): boolean =>
  typeof message === "object" && message !== null && key in message

export const isStartOfThread = (data: unknown): data is StartOfThread =>
  has(data, "folder") || has(data, "lexicon")

export const isToRules = (message: unknown): message is ToRules => has(message, "ask")

export const isFromRules = (message: unknown): message is FromRules => has(message, "tell")
