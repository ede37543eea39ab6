import { burn } from "@kenjiuno/msgreader/lib/Burner.js"

/** An Outlook message to be made; a file without a name has content alone. */
export interface OutlookMail {
  readonly subject: string
  readonly body: string
  readonly from: readonly [name: string, address: string]
  readonly to: readonly [name: string, address: string]
  readonly files: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly content: Uint8Array
  }>
}

const [folder, stream, root] = [1, 2, 5]

interface Entry {
  readonly name: string
  readonly type: number
  readonly length: number
  readonly binaryProvider?: () => Uint8Array
  readonly children?: Array<number>
}

const utf16 = (text: string): Uint8Array => Buffer.from(text, "utf16le")

/** Writes a message as Outlook stores it, by the tags of MS-OXPROPS: a compound file with a stream for each property. */
export const outlookFile = ({ body, files, from, subject, to }: OutlookMail): Uint8Array => {
  const entries: Array<Entry> = []
  const add = (parent: number, name: string, content: Uint8Array): void => {
    const index =
      entries.push({
        name,
        type: stream,
        length: content.length,
        binaryProvider: () => new Uint8Array(content)
      }) - 1
    entries[parent]?.children?.push(index)
  }
  const addFolder = (parent: number, name: string): number => {
    const index = entries.push({ name, type: folder, length: 0, children: [] }) - 1
    entries[parent]?.children?.push(index)
    return index
  }
  entries.push({ name: "Root Entry", type: root, length: 0, children: [] })
  add(0, "__properties_version1.0", new Uint8Array(32))
  add(0, "__substg1.0_0037001F", utf16(subject))
  add(0, "__substg1.0_1000001F", utf16(body))
  add(0, "__substg1.0_0C1A001F", utf16(from[0]))
  add(0, "__substg1.0_0C1F001F", utf16(from[1]))
  const receiver = addFolder(0, "__recip_version1.0_#00000000")
  add(receiver, "__properties_version1.0", new Uint8Array(8))
  add(receiver, "__substg1.0_3001001F", utf16(to[0]))
  add(receiver, "__substg1.0_3003001F", utf16(to[1]))
  for (const [index, { content, name, type }] of files.entries()) {
    const file = addFolder(0, `__attach_version1.0_#0000000${index}`)
    add(file, "__properties_version1.0", new Uint8Array(8))
    add(file, "__substg1.0_3707001F", utf16(name))
    add(file, "__substg1.0_370E001F", utf16(type))
    add(file, "__substg1.0_37010102", content)
  }
  return burn(entries)
}
