import { Parser } from "htmlparser2"
import { NotReadable } from "../FormatReader.ts"

/** The attributes of an element, by their names as written: `w:val`. */
export type Attributes = Readonly<Record<string, string>>

/** The callbacks of an XML reader, in document order; names come without their prefix. */
export interface XmlListener {
  readonly open?: (name: string, attributes: Attributes) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/** Deeper nesting than any Office program writes. */
const deepest = 512

/** The part of a name after its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** An attribute by its local name, whatever the prefix. */
export const attribute = (attributes: Attributes, name: string): string | undefined => {
  if (Object.hasOwn(attributes, name)) return attributes[name]
  const key = Object.keys(attributes).find((key) => localName(key) === name)
  return key === undefined ? undefined : attributes[key]
}

/** Whether an on-off element (`<w:vanish/>`, `w:val="0"`) is on. */
export const isOn = (attributes: Attributes): boolean =>
  !["0", "false", "off", "none"].includes(attribute(attributes, "val") ?? "1")

/** The encoding that a byte order mark or the declaration of an XML document names; UTF-8 by default. */
const encodingOf = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff) return "utf-16le"
  if (bytes[0] === 0xfe) return "utf-16be"
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1")
  const named = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/u.exec(head)?.[1] ?? "utf-8"
  try {
    return /^utf-?16/iu.test(named) ? "utf-8" : new TextDecoder(named).encoding
  } catch {
    return "utf-8"
  }
}

/**
 * Reads XML from beginning to end, and returns the number of elements left open at its end. A document type declaration
 * is refused: neither Office files nor invoices have one, and this rules out entities, external files and attacks by
 * them.
 */
export const readXml = (bytes: Uint8Array, listener: XmlListener): number => {
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > deepest) throw new NotReadable("The document is nested too deeply.")
        listener.open?.(localName(name), attributes)
      },
      ontext: (text) => listener.text?.(text),
      onclosetag: (name) => {
        depth--
        listener.close?.(localName(name))
      },
      onprocessinginstruction: (name) => {
        if (name.startsWith("!"))
          throw new NotReadable("The document contains a document type declaration, which is not allowed.")
      }
    },
    { xmlMode: true }
  )
  parser.write(new TextDecoder(encodingOf(bytes)).decode(bytes))
  const open = depth
  parser.end()
  return open
}
