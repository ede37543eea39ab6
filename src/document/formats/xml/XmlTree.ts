import { NotReadable } from "../FormatReader.ts"
import { type Attributes, readXml } from "./Xml.ts"

/** More than any invoice has. */
const mostElements = 400_000
/** The maximum length of text; files embedded in an element (base64) are truncated. */
const longestText = 16_384

/** An element of an XML document, by its local name. */
export class XmlElement {
  readonly children: Array<XmlElement> = []
  text = ""
  readonly name: string
  readonly attributes: Attributes
  readonly #parent: XmlElement | undefined
  /** Its number among the siblings of that name, from 1. */
  readonly #nth: number
  readonly #counts = new Map<string, number>()

  constructor(name: string, attributes: Attributes, parent?: XmlElement) {
    this.name = name
    this.attributes = attributes
    this.#parent = parent
    if (parent === undefined) {
      this.#nth = 1
      return
    }
    this.#nth = (parent.#counts.get(name) ?? 0) + 1
    parent.#counts.set(name, this.#nth)
    parent.children.push(this)
  }

  /** Its path, such as `/Invoice/InvoiceLine[2]/ID`. */
  get path(): string {
    if (this.#parent === undefined) return `/${this.name}`
    const several = (this.#parent.#counts.get(this.name) ?? 1) > 1
    return `${this.#parent.path}/${this.name}${several ? `[${this.#nth}]` : ""}`
  }
}

/**
 * Reads an XML document into memory. NotReadable if it has a document type declaration, is nested too deeply, has too
 * many elements or none, or is incomplete. `accept` is called with the first element, before the others are read.
 */
export const readXmlTree = (bytes: Uint8Array, accept: (root: XmlElement) => boolean): XmlElement => {
  const open: Array<XmlElement> = []
  let root: XmlElement | undefined
  let count = 0
  const unclosed = readXml(bytes, {
    open: (name, attributes) => {
      if (++count > mostElements) throw new NotReadable(`The XML has more than ${mostElements} elements.`)
      const element = new XmlElement(name, attributes, open.at(-1))
      if (root === undefined && !accept(element)) throw new NotReadable("The XML is not an invoice.")
      root ??= element
      open.push(element)
    },
    text: (text) => {
      const element = open.at(-1)
      if (element !== undefined && element.text.length < longestText) {
        element.text += text.slice(0, longestText)
      }
    },
    close: () => open.pop()
  })
  if (root === undefined) throw new NotReadable("The XML has no elements.")
  if (unclosed > 0) throw new NotReadable("The XML is incomplete.")
  return root
}
