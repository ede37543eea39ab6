import { posix } from "node:path"
import { type Attributes, attribute, readXml } from "../xml/Xml.ts"
import type { Archive } from "./Zip.ts"

/** A part that another part of an Office file points to. */
export interface Relation {
  readonly id: string
  /** The last word of the type's address: `styles`, `slide`, `officeDocument`. */
  readonly type: string
  /** The name of the part inside the archive. */
  readonly target: string
}

/** The relations of a part of an Office file, within the file only; `""` means the package itself. */
export const relationsOf = async (archive: Archive, part: string): Promise<ReadonlyArray<Relation>> => {
  const folder = posix.dirname(part)
  const bytes = await archive.read(posix.join(folder, "_rels", `${posix.basename(part)}.rels`))
  const relations: Array<Relation> = []
  if (bytes === undefined) return relations
  const open = (name: string, attributes: Attributes) => {
    const target = attribute(attributes, "Target")
    if (name !== "Relationship" || target === undefined || attributes["TargetMode"] === "External") return
    relations.push({
      id: attribute(attributes, "Id") ?? "",
      type: (attribute(attributes, "Type") ?? "").split("/").at(-1) ?? "",
      target: target.startsWith("/") ? target.slice(1) : posix.join(folder, target)
    })
  }
  readXml(bytes, { open })
  return relations
}

/** The part that an Office file begins with, such as `word/document.xml`. */
export const mainPart = async (archive: Archive, usual: string): Promise<string> => {
  const relations = await relationsOf(archive, "")
  const main = relations.find(({ type }) => type === "officeDocument")?.target
  return main !== undefined && archive.has(main) ? main : usual
}
