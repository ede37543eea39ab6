import { type Attributes, attribute, readXml } from "../xml/Xml.ts"

/** The properties that a paragraph style gives to its paragraphs. */
export interface DocxStyle {
  /** 1 for the highest headings. */
  readonly level?: number
  readonly numId?: string
  readonly depth?: number
}

interface Found {
  basedOn?: string
  level?: number
  numId?: string
  depth?: number
}

const headingLevel = (name: string): number | undefined => {
  if (/^title$/iu.test(name)) return 1
  const level = /^heading\s*([1-9])$/iu.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

/** Reads the styles of a document by their ids, with what they inherit. */
export const readStyles = (bytes: Uint8Array | undefined): ReadonlyMap<string, DocxStyle> => {
  const found = new Map<string, Found>()
  let style: Found | undefined
  const open = (name: string, attributes: Attributes) => {
    const value = attribute(attributes, "val") ?? ""
    if (name === "style") {
      style = {}
      found.set(attribute(attributes, "styleId") ?? "", style)
    } else if (style === undefined) return
    else if (name === "name") {
      const level = headingLevel(value)
      if (level !== undefined) style.level = level
    } else if (name === "basedOn") style.basedOn = value
    else if (name === "outlineLvl" && Number(value) < 9) style.level ??= Number(value) + 1
    else if (name === "numId") style.numId = value
    else if (name === "ilvl") style.depth = Number(value)
  }
  const close = (name: string) => {
    if (name === "style") style = undefined
  }
  if (bytes !== undefined) readXml(bytes, { open, close })
  const whole = (id: string, seen: number): DocxStyle => {
    const own = found.get(id)
    if (own === undefined || seen > 20) return {}
    const { basedOn, ...rest } = own
    return { ...(basedOn === undefined ? {} : whole(basedOn, seen + 1)), ...rest }
  }
  return new Map([...found.keys()].map((id) => [id, whole(id, 0)]))
}
