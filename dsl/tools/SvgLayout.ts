import type { GraphBranch, GraphNode } from "./Graph.ts"

/** A step and its position in its column. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Its name first, then what it does. */
  readonly lines: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Column>
}

/** Steps one below the other, and their position in a box. */
export interface Column {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly label: string
  readonly boxes: ReadonlyArray<Box>
}

/** The space around the content of a box. */
export const padding = 16
const gap = 26
const lineHeight = 15
const labelHeight = 20
const narrowest = 120
const longest = 44
/** The approximate width of a letter; text is not measured. */
const letterWidth = 6.9

/** Positions steps one below the other, centred; branches of a step next to each other. */
export const layOut = (nodes: ReadonlyArray<GraphNode>): Column => {
  const sized = nodes.map(sizeOf)
  const width = Math.max(0, ...sized.map((box) => box.width))
  let y = 0
  const boxes = sized.map((size) => {
    const box = placed(size, (width - size.width) / 2, y)
    y += size.height + gap
    return box
  })
  return { x: 0, y: 0, width, height: Math.max(0, y - gap), label: "", boxes }
}

type Size = Omit<Box, "x" | "y">

const placed = ({ columns, height, lines, width }: Size, x: number, y: number): Box => ({
  x,
  y,
  width,
  height,
  lines,
  columns
})

const sizeOf = (node: GraphNode): Size => {
  const lines = [node.title, node.kind, ...node.notes].filter((line) => line !== "").map(shortened)
  const header = lines.length * lineHeight + 12
  const textWidth = Math.max(
    narrowest,
    ...lines.map((line) => Math.ceil(line.length * letterWidth) + 2 * padding)
  )
  if (node.branches.length === 0) return { width: textWidth, height: header, lines, columns: [] }
  const hasLabels = node.branches.some(({ label }) => label !== "")
  const top = header + (hasLabels ? labelHeight : 4)
  const inside = node.branches.map(columnOf)
  const innerWidth = inside.reduce((total, column) => total + column.width + padding, -padding)
  const width = Math.max(textWidth, innerWidth + 2 * padding)
  let x = (width - innerWidth) / 2
  const columns = inside.map((column): Column => {
    const { boxes, height: columnHeight, label, width: columnWidth } = column
    const left = x
    x += columnWidth + padding
    return { x: left, y: top, width: columnWidth, height: columnHeight, label, boxes }
  })
  const height = top + Math.max(...inside.map((column) => column.height)) + padding
  return { width, height, lines, columns }
}

const columnOf = ({ label, nodes }: GraphBranch): Column => {
  const column = layOut(nodes)
  const shown = shortened(label)
  const width = Math.max(column.width, Math.ceil(shown.length * 6.8))
  const shift = (width - column.width) / 2
  return {
    ...column,
    width,
    label: shown,
    boxes: column.boxes.map((box) => placed(box, box.x + shift, box.y))
  }
}

const shortened = (line: string): string => (line.length > longest ? `${line.slice(0, longest - 1)}…` : line)
