import { Cause, Effect, Exit, Fiber } from "effect"
import { parentPort, workerData } from "node:worker_threads"
import type { DocumentIR, Line, Page } from "../../domain/DocumentIR.ts"
import { knownKind } from "../kinds/DocumentKind.ts"
import { runThreadInBackground } from "../../sandbox/BackgroundPriority.ts"
import { fieldsOf } from "../lexicon/Field.ts"
import { CurrentLexicon, lexiconWith } from "../lexicon/CurrentLexicon.ts"
import { Lexicon } from "../lexicon/Lexicon.ts"
import { shippedLexicon, useLexicon } from "../lexicon/ReadLexicon.ts"
import { readByRules } from "../rules/Rules.ts"
import { warmUp } from "./WarmUp.ts"
import { type FromRules, isStartOfThread, isToRules, type ToRules } from "./RulesMessages.ts"
import { defined } from "../../support/Defined.ts"

/**
 * The program of a thread that reads documents by rules, several in turns. Its `workerData` is a `StartOfThread`.
 */

runThreadInBackground()
const port = parentPort
if (port === null) throw new Error("This program is the program of a thread.")
const tell = (message: FromRules) => port.postMessage(message)

const start: unknown = workerData
if (!isStartOfThread(start)) throw new Error("The workerData of this thread is not a StartOfThread.")
const lexiconOf = (folder: string | undefined) =>
  folder === undefined ? shippedLexicon() : Effect.runPromise(lexiconWith(folder))
const lexicon = "lexicon" in start ? new Lexicon(start.lexicon) : await lexiconOf(start.folder)
useLexicon(lexicon)

const held = new Map<number, Array<Page & { readonly lines: Array<Line> }>>()
const running = new Map<number, Fiber.Fiber<void>>()

const read = ({ dateOrder, definitions, id, relations, today }: ToRules & { readonly ask: "read" }) => {
  const pages = held.get(id) ?? []
  held.delete(id)
  const document: DocumentIR = { pages, extras: { pageCount: pages.length } }
  const options = { fields: fieldsOf(definitions, lexicon), relations, today, ...defined({ dateOrder }) }
  return readByRules(document, options).pipe(
    Effect.provideService(CurrentLexicon, lexicon),
    Effect.exit,
    Effect.map((exit) => {
      running.delete(id)
      if (Exit.isSuccess(exit)) tell({ tell: "found", id, result: exit.value, kind: knownKind(document) })
      else tell({ tell: "defect", id, reason: Cause.pretty(exit.cause) })
    })
  )
}

const hold = ({ goesOn, id, page }: ToRules & { readonly ask: "hold" }): void => {
  const pages = held.get(id) ?? []
  held.set(id, pages)
  const last = pages.at(-1)
  if (goesOn && last !== undefined) for (const line of page.lines) last.lines.push(line)
  else pages.push({ ...page, lines: [...page.lines] })
}

const stop = (id: number): void => {
  held.delete(id)
  const fiber = running.get(id)
  if (fiber !== undefined) Effect.runFork(Fiber.interrupt(fiber))
  running.delete(id)
}

port.on("message", (message: unknown) => {
  if (!isToRules(message)) return
  const { id } = message
  if (message.ask === "hold") hold(message)
  else if (message.ask === "read") running.set(id, Effect.runFork(read(message)))
  else stop(id)
})

tell({ tell: "ready" })
await Effect.runPromise(warmUp(lexicon))
// What the start leaves, V8 would keep until the thread has had nothing to do for some seconds.
globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })
