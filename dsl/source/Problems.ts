import { Struct } from "effect"
import { formatPath, type Path, type Problem } from "./Problem.ts"
import { position, type Source, type Span } from "./Source.ts"
import { defined } from "../../src/support/Defined.ts"

const most = 200

/** Collects what is wrong with one file. It stops at 200, which keeps an author busy enough. */
export interface Problems {
  readonly source: Source
  readonly add: (at: Span | number, path: Path, message: string, suggestion?: string) => void
  /** Whether a problem has been reported at this path, above it or below it. */
  readonly touches: (path: Path) => boolean
  /** Whether a problem has been reported at exactly this path. */
  readonly has: (path: Path) => boolean
  readonly list: () => ReadonlyArray<Problem>
}

/** An empty collector. */
export const makeProblems = (source: Source): Problems => {
  const found = new Map<string, Problem & { readonly offset: number }>()
  const paths: Array<Path> = []
  return {
    source,
    add: (at, path, message, suggestion) => {
      const offset = typeof at === "number" ? at : at.start
      const key = `${offset} ${message}`
      if (found.size >= most || found.has(key)) return
      paths.push(path)
      const place = { file: source.file, ...position(source, offset), path: formatPath(path) }
      found.set(key, { ...place, message, ...defined({ suggestion }), offset })
    },
    touches: (path) =>
      paths.some((other) => other.slice(0, path.length).every((part, index) => part === path[index])),
    has: (path) => paths.some((other) => formatPath(other) === formatPath(path)),
    list: () =>
      [...found.values()]
        .sort((left, right) => left.offset - right.offset)
        .map((problem) => Struct.omit(problem, ["offset"]))
  }
}
