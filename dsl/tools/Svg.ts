import type { FlowDefinition } from "../model/FlowDefinition.ts"
import { type GraphBranch, type GraphNode, graphOf } from "./Graph.ts"

/** A step and its position in its column. */
interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Its name first, then what it does. */
  readonly lines: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Column>
}

/** Steps one below the other, and their position in a box. */
interface Column {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly label: string
  readonly boxes: ReadonlyArray<Box>
}

/** The space around the content of a box. */
const padding = 16
const gap = 26
const lineHeight = 15
const labelHeight = 20
const narrowest = 120
const longest = 44
/** The approximate width of a letter; text is not measured. */
const letterWidth = 6.9

/** Positions steps one below the other, centred; branches of a step next to each other. */
const layOut = (nodes: ReadonlyArray<GraphNode>): Column => {
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

const end = (title: string): GraphNode => ({ path: title, title, kind: "", notes: [], branches: [] })

/** The approximate width of a letter of the title; it is larger than those of the steps. */
const titleLetterWidth = 9

/** Draws the steps of a flow: one below the other, branches next to each other. */
export const toSvg = (flow: FlowDefinition): string => {
  const top = layOut([end("document"), ...graphOf(flow), end("output")])
  const title = `${flow.name} ${flow.version}`
  const width = Math.max(top.width, Math.ceil(title.length * titleLetterWidth)) + 2 * padding
  const height = top.height + 2 * padding + 28
  const left = (width - top.width) / 2
  const body = top.boxes.flatMap((box) => drawBox(box, left, padding + 28))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">`,
    `<title>${escape(title)}</title>`,
    marker,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(width / 2, 24, title, 'text-anchor="middle" font-size="15" font-weight="600"'),
    ...body,
    ...arrows(top.boxes, left, padding + 28),
    "</svg>\n"
  ].join("\n")
}

const marker =
  '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#64748b"/></marker></defs>'

const drawBox = (box: Box, left: number, top: number): ReadonlyArray<string> => {
  const [x, y] = [left + box.x, top + box.y]
  const isLeaf = box.columns.length === 0
  const isEnd = isLeaf && box.lines.length === 1
  const fill = isEnd ? "#0f172a" : isLeaf ? "#e0f2fe" : "#f8fafc"
  const stroke = isEnd ? "#0f172a" : isLeaf ? "#0284c7" : "#94a3b8"
  const radius = isEnd ? box.height / 2 : 6
  const dash = isLeaf ? "" : ' stroke-dasharray="5 3"'
  const lines = box.lines.map((line, index) => {
    const style = index === 0 ? 'font-size="13" font-weight="600"' : 'font-size="11"'
    const colour = isEnd ? "#ffffff" : index === 0 ? "#0f172a" : "#475569"
    return text(
      x + box.width / 2,
      y + 18 + index * 15,
      line,
      `text-anchor="middle" ${style} fill="${colour}"`
    )
  })
  const columns = box.columns.flatMap(({ boxes, label, x: columnX, y: columnY }) => [
    ...(label === ""
      ? []
      : [text(x + columnX, y + columnY - 7, label, 'font-size="11" font-style="italic" fill="#7c3aed"')]),
    ...boxes.flatMap((inner) => drawBox(inner, x + columnX, y + columnY)),
    ...arrows(boxes, x + columnX, y + columnY)
  ])
  return [
    `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="${radius}" fill="${fill}" stroke="${stroke}"${dash}/>`,
    ...lines,
    ...columns
  ]
}

const arrows = (boxes: ReadonlyArray<Box>, left: number, top: number): ReadonlyArray<string> =>
  boxes.slice(1).flatMap((box, index) => {
    const before = boxes[index]
    if (before === undefined) return []
    const x = left + box.x + box.width / 2
    const from = top + before.y + before.height
    return [
      `<path d="M${x} ${from}L${x} ${top + box.y - 1}" stroke="#64748b" fill="none" marker-end="url(#arrow)"/>`
    ]
  })

const text = (x: number, y: number, content: string, attributes: string): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escape(content)}</text>`

const escape = (content: string): string =>
  content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
