import { attribute } from "./Xml.ts"
import type { XmlElement } from "./XmlTree.ts"

/** A condition of a path step: an attribute or a descendant that has, or does not have, a value. */
interface Condition {
  readonly attribute?: string
  readonly child: ReadonlyArray<Step>
  readonly value: string
  readonly negated: boolean
}

interface Step {
  readonly names: ReadonlySet<string>
  readonly condition?: Condition
}

/** A parsed path: steps down from an element, and optionally an attribute at the end. */
export interface Path {
  readonly steps: ReadonlyArray<Step>
  readonly attribute?: string
}

const conditionOf = (text: string): Condition => {
  const [, not, at, name = "", value = ""] = /^(!?)(@?)([^=]+)=(.*)$/u.exec(text) ?? []
  const negated = not === "!"
  return at === "@"
    ? { attribute: name, child: [], value, negated }
    : { child: parsePath(name).steps, value, negated }
}

const stepOf = (text: string): Step => {
  const [, names = "", condition] = /^([^[]+)(?:\[(.+)\])?$/u.exec(text) ?? []
  const step = { names: new Set(names.split("|")) }
  return condition === undefined ? step : { ...step, condition: conditionOf(condition) }
}

/**
 * Reads a path: names with `/` between them, `A|B` for either, `[@attribute=value]`, `[Child/Of=value]` and
 * `[!Child=value]` after a name, and `@attribute` at the end.
 */
export const parsePath = (text: string): Path => {
  const parts = text.match(/(?:[^/[]|\[[^\]]*\])+/gu) ?? []
  const last = parts.at(-1)
  return last !== undefined && last.startsWith("@")
    ? { steps: parts.slice(0, -1).map(stepOf), attribute: last.slice(1) }
    : { steps: parts.map(stepOf) }
}

const fulfils = (element: XmlElement, condition: Condition): boolean => {
  const values =
    condition.attribute === undefined
      ? selectSteps(element, condition.child).map(({ text }) => text)
      : [attribute(element.attributes, condition.attribute) ?? ""]
  const found = values.some((value) => value.trim().toUpperCase() === condition.value.toUpperCase())
  return found !== condition.negated
}

const selectSteps = (from: XmlElement, steps: ReadonlyArray<Step>): ReadonlyArray<XmlElement> =>
  steps.reduce<ReadonlyArray<XmlElement>>(
    (elements, { names, condition }) =>
      elements.flatMap((element) =>
        element.children.filter(
          (child) => names.has(child.name) && (condition === undefined || fulfils(child, condition))
        )
      ),
    [from]
  )

/** The elements that a path leads to, in the order of the document. */
export const select = (from: XmlElement, path: Path): ReadonlyArray<XmlElement> =>
  selectSteps(from, path.steps)
