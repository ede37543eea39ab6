import type { FlowDefinition } from "../model/FlowDefinition.ts"
import { type GraphNode, graphOf } from "./Graph.ts"

/** Writes the steps of a flow as a Mermaid flowchart. */
export const toMermaid = (flow: FlowDefinition): string => {
  const writer = new Writer()
  writer.line("flowchart TD", 0)
  const ends = writer.sequence(graphOf(flow), ["document([document])"], 1)
  for (const end of ends) writer.line(`${end} --> output([output])`, 1)
  return `${writer.text()}\n`
}

class Writer {
  readonly #lines: Array<string> = []
  readonly #ids = new Map<string, string>()

  text(): string {
    return this.#lines.join("\n")
  }

  line(text: string, depth: number): void {
    this.#lines.push("  ".repeat(depth) + text)
  }

  /** Draws steps after their predecessor; returns the predecessor of the next one. */
  sequence(
    nodes: ReadonlyArray<GraphNode>,
    before: ReadonlyArray<string>,
    depth: number
  ): ReadonlyArray<string> {
    let ends = before
    for (const node of nodes) ends = this.#node(node, ends, depth)
    return ends
  }

  #node(node: GraphNode, before: ReadonlyArray<string>, depth: number): ReadonlyArray<string> {
    const id = this.#id(node.path)
    const text = label([node.title, node.kind, ...node.notes].join("\n"))
    if (node.branches.length === 0) {
      for (const end of before) this.line(`${end} --> ${id}[${text}]`, depth)
      return [id]
    }
    this.line(`subgraph ${id}[${text}]`, depth)
    this.line("direction TD", depth + 1)
    for (const [index, branch] of node.branches.entries()) {
      if (branch.label === "") {
        this.#first(branch.nodes, [], depth + 1)
        continue
      }
      this.line(`subgraph ${id}_${index}[${label(branch.label)}]`, depth + 1)
      this.line("direction TD", depth + 2)
      this.#first(branch.nodes, [], depth + 2)
      this.line("end", depth + 1)
    }
    this.line("end", depth)
    for (const end of before) this.line(`${end} --> ${id}`, depth)
    return [id]
  }

  /** The first step of a block has no predecessor: it is declared by itself. */
  #first(nodes: ReadonlyArray<GraphNode>, before: ReadonlyArray<string>, depth: number): void {
    const [first] = nodes
    if (first === undefined) return
    if (first.branches.length > 0) return void this.sequence(nodes, before, depth)
    const id = this.#id(first.path)
    this.line(`${id}[${label([first.title, first.kind, ...first.notes].join("\n"))}]`, depth)
    this.sequence(nodes.slice(1), [id], depth)
  }

  #id(path: string): string {
    const id = this.#ids.get(path) ?? `s${this.#ids.size}`
    this.#ids.set(path, id)
    return id
  }
}

const label = (text: string): string =>
  `"${text.replaceAll("#", "#35;").replaceAll('"', "#quot;").replaceAll("<", "#lt;").replaceAll(">", "#gt;").replaceAll("\n", "<br/>")}"`
