import { Result } from "effect"
import { check, type CheckOptions } from "./Check.ts"
import type { CheckedFlow } from "../model/CheckedFlow.ts"
import { callKey, type FoundFlow, type Outline, outlineOf, type Pins } from "../model/FlowCalls.ts"
import type { Problem } from "../source/Problem.ts"
import { newestFitting } from "../model/Words.ts"

/** The source of a version of a flow. */
export interface FlowText {
  readonly id: string
  readonly version: string
  /** The name of its file, for messages. */
  readonly file: string
  readonly text: string
  /** The versions of the flows that it calls, once they are pinned. */
  readonly pins?: Pins | undefined
  /** Whether it is no longer served: only flows that are pinned to it can call it. */
  readonly retired?: boolean
}

export interface LibraryOptions<R> extends Omit<CheckOptions<R>, "file" | "flows"> {
  /** The ids of flows that exist as well, for suggestions. */
  readonly known?: ReadonlyArray<string>
}

/** The maximum depth of calls. */
const deepest = 8

const keyOf = ({ id, version }: { readonly id: string; readonly version: string }): string =>
  `${id} ${version}`

/**
 * Flows that may call each other. Each is checked when it is first needed, and only once; their order does not matter.
 */
export class FlowLibrary<R> {
  readonly #options: LibraryOptions<R>
  readonly #texts: ReadonlyMap<string, FlowText>
  readonly #outlines = new Map<string, Outline>()
  readonly #checked = new Map<string, Result.Result<CheckedFlow<R>, ReadonlyArray<Problem>>>()

  constructor(texts: Iterable<FlowText>, options: LibraryOptions<R>) {
    this.#options = options
    this.#texts = new Map(Array.from(texts, (text) => [keyOf(text), text]))
  }

  /** Checks a flow together with the flows that it calls; it need not be in the library itself. */
  check(text: FlowText): Result.Result<CheckedFlow<R>, ReadonlyArray<Problem>> {
    const flows = (id: string, range: string | undefined) => this.#find(text, id, range)
    return check(text.text, { ...this.#options, file: text.file, flows })
  }

  #find(caller: FlowText, id: string, range: string | undefined): FoundFlow<R> {
    const target = this.#resolve(caller, id, range)
    if (target === undefined) {
      const known = [...this.#texts.values()].filter(({ retired }) => retired !== true)
      const versions = known.filter((text) => text.id === id).map(({ version }) => version)
      return versions.length > 0
        ? { _tag: "NoVersion", known: versions }
        : {
            _tag: "NoFlow",
            known: [...new Set([...known.map((text) => text.id), ...(this.#options.known ?? [])])].sort()
          }
    }
    const way = this.#wayBack(target, keyOf(caller), [keyOf(caller)])
    if (way !== undefined) return { _tag: "Cycle", way }
    if (this.#depth(target) >= deepest) return { _tag: "TooDeep", most: deepest }
    return this.#found(target)
  }

  #found(target: FlowText): FoundFlow<R> {
    const key = keyOf(target)
    const result = this.#checked.get(key) ?? this.check(target)
    this.#checked.set(key, result)
    if (Result.isFailure(result)) {
      const [problem] = result.failure
      return problem === undefined
        ? { _tag: "NoVersion", known: [] }
        : { _tag: "Faulty", version: target.version, problem }
    }
    const { definition } = result.success
    if (keyOf(definition) === key) return { _tag: "Found", flow: result.success }
    const message = `The file defines ${keyOf(definition)}, but its path says ${key}.`
    const problem = { file: target.file, line: 1, column: 1, path: "id", message }
    return { _tag: "Faulty", version: target.version, problem }
  }

  /** The version that a call runs: the pinned one, or else the newest that fits. */
  #resolve(caller: FlowText, id: string, range: string | undefined): FlowText | undefined {
    const pinned = caller.pins?.[callKey(id, range)]
    if (pinned !== undefined) return this.#texts.get(keyOf({ id, version: pinned }))
    const served = [...this.#texts.values()].filter((text) => text.id === id && text.retired !== true)
    const version = newestFitting(
      range,
      served.map((text) => text.version)
    )
    return version === undefined ? undefined : this.#texts.get(keyOf({ id, version }))
  }

  #called(caller: FlowText): ReadonlyArray<FlowText> {
    const key = keyOf(caller)
    const outline = this.#outlines.get(key) ?? outlineOf(caller.text)
    this.#outlines.set(key, outline)
    return outline.calls.flatMap(({ flow, range }) => this.#resolve(caller, flow, range) ?? [])
  }

  /** The path of calls from a flow back to another. */
  #wayBack(
    from: FlowText,
    to: string,
    way: ReadonlyArray<string>,
    seen = new Set<string>()
  ): ReadonlyArray<string> | undefined {
    const key = keyOf(from)
    const here = [...way, key]
    if (key === to) return here
    if (seen.has(key)) return undefined
    seen.add(key)
    for (const next of this.#called(from)) {
      const found = this.#wayBack(next, to, here, seen)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The depth of calls below a flow, itself included; stops counting at one more than the maximum. */
  #depth(flow: FlowText): number {
    let level: ReadonlyArray<FlowText> = [flow]
    for (let depth = 1; depth <= deepest; depth++) {
      level = [...new Set(level.flatMap((one) => this.#called(one)))]
      if (level.length === 0) return depth
    }
    return deepest + 1
  }
}
