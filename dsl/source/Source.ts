/** The text of a flow file, and where its lines begin. */
export interface Source {
  readonly file: string
  readonly text: string
  readonly lineStarts: ReadonlyArray<number>
}

/** Part of the text: `end` is the offset of the character after it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A value of a flow file with its position: plain JSON, with string keys only. */
export type SourceNode = ScalarNode | ListNode | MapNode

export interface ScalarNode extends Span {
  readonly kind: "scalar"
  readonly value: string | number | boolean | null
}

export interface ListNode extends Span {
  readonly kind: "list"
  readonly items: ReadonlyArray<SourceNode>
}

export interface MapNode extends Span {
  readonly kind: "map"
  readonly entries: ReadonlyMap<string, MapEntry>
}

export interface MapEntry {
  readonly key: Span
  readonly value: SourceNode
}

/** Makes a source from its text. */
export const makeSource = (file: string, text: string): Source => {
  const lineStarts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1)
  return { file, text, lineStarts }
}

/** The line and column of an offset, both counted from 1. */
export const position = (
  source: Source,
  offset: number
): { readonly line: number; readonly column: number } => {
  let low = 0
  let high = source.lineStarts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((source.lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  const start = source.lineStarts[low] ?? 0
  const byteOrderMark = start === 0 && source.text.startsWith("\uFEFF") ? 1 : 0
  return { line: low + 1, column: Math.max(1, offset - start + 1 - byteOrderMark) }
}

/** The plain value of a node. */
export const toJson = (node: SourceNode): unknown => {
  switch (node.kind) {
    case "scalar":
      return node.value
    case "list":
      return node.items.map(toJson)
    case "map":
      return Object.fromEntries([...node.entries].map(([key, entry]) => [key, toJson(entry.value)]))
  }
}

/**
 * The offset in the file of the character at `index` of a string scalar. Quotes, escapes and folded lines make the two
 * differ, so both are scanned in parallel; where they cannot be matched, the result is the nearest position before.
 */
export const offsetInScalar = (source: Source, node: ScalarNode, index: number): number => {
  const value = String(node.value)
  let at = node.start
  let reached = node.start
  for (let i = 0; i <= index && i < value.length; i++) {
    const found = nextMatch(source.text, at, node.end, value[i] ?? "")
    if (found === undefined) continue
    reached = found
    at = found + 1
  }
  return reached
}

const farthest = 400

const nextMatch = (text: string, from: number, end: number, character: string): number | undefined => {
  const limit = Math.min(end, from + farthest)
  for (let at = from; at < limit; at++) if (text[at] === character) return at
  return undefined
}

/** Follows a path from a node; undefined if it leads nowhere. */
export const nodeAt = (root: SourceNode, path: ReadonlyArray<PropertyKey>): SourceNode | undefined => {
  let node: SourceNode | undefined = root
  for (const part of path) {
    if (node?.kind === "map") node = node.entries.get(String(part))?.value
    else if (node?.kind === "list") node = node.items[Number(part)]
    else return undefined
  }
  return node
}

/** The string at a key of an object; undefined if there is none. */
export const textAt = (node: MapNode, key: string): string | undefined => {
  const value = node.entries.get(key)?.value
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined
}
