import { crc32, deflateRawSync } from "node:zlib"

/** A file for `zip`; `claimed` is what the archive says of its size, where that shall be a lie. */
export interface ZipFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly claimed?: number
}

/** Makes a ZIP archive of some files. */
export const zip = (files: ReadonlyArray<ZipFile>): Uint8Array => {
  const parts: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const { claimed, content, name } of files) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(8, 4)
    header.writeUInt32LE(crc32(bytes), 10)
    header.writeUInt32LE(packed.length, 14)
    header.writeUInt32LE(claimed ?? bytes.length, 18)
    header.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), header, Buffer.from(name), packed])
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), header, entry, Buffer.from(name)])
    )
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, list, Buffer.from("PK\u0005\u0006"), end])
}

const office = "application/vnd.openxmlformats-officedocument"
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

const contents = (main: string, type: string): ZipFile => ({
  name: "[Content_Types].xml",
  content: `<Types><Override PartName="/${main}" ContentType="${office}.${type}.main+xml"/></Types>`
})

const relationsFile = (name: string, all: ReadonlyArray<readonly [string, string, string]>): ZipFile => ({
  name,
  content: `<Relationships>${all
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`
})

/** A Word document with the given content of `w:body`; `prolog` comes before the root element. */
export const docx = (body: string, prolog = "", more: ReadonlyArray<ZipFile> = []): Uint8Array =>
  zip([
    contents("word/document.xml", "wordprocessingml.document"),
    relationsFile("_rels/.rels", [["rId1", "officeDocument", "word/document.xml"]]),
    relationsFile("word/_rels/document.xml.rels", [
      ["rId1", "styles", "styles.xml"],
      ["rId2", "numbering", "numbering.xml"],
      ["rId3", "header", "header1.xml"]
    ]),
    {
      name: "word/styles.xml",
      content:
        '<w:styles><w:style w:styleId="Big"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Own"><w:basedOn w:val="Big"/></w:style></w:styles>'
    },
    {
      name: "word/numbering.xml",
      content:
        '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    },
    { name: "word/header1.xml", content: "<w:hdr><w:p><w:r><w:t>The header</w:t></w:r></w:p></w:hdr>" },
    {
      name: "word/document.xml",
      content: `<?xml version="1.0"?>${prolog}<w:document><w:body>${body}</w:body></w:document>`
    },
    ...more
  ])

/** A workbook of sheets: each a name and the content of `sheetData`. */
export const xlsx = (sheets: ReadonlyArray<readonly [string, string, "hidden"?]>): Uint8Array =>
  zip([
    contents("xl/workbook.xml", "spreadsheetml.sheet"),
    relationsFile("xl/_rels/workbook.xml.rels", [
      ["s", "styles", "styles.xml"],
      ["t", "sharedStrings", "sharedStrings.xml"],
      ...sheets.map((_, i) => [`r${i}`, "worksheet", `/xl/worksheets/sheet${i}.xml`] as const)
    ]),
    {
      name: "xl/workbook.xml",
      content: `<workbook><sheets>${sheets
        .map(([name, , state]) => `<sheet name="${name}" state="${state ?? "visible"}"`)
        .map((text, i) => `${text} r:id="r${i}"/>`)
        .join("")}</sheets></workbook>`
    },
    {
      name: "xl/styles.xml",
      content:
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="171" formatCode="#,##0.00\\ [$€-407];[Red]-#,##0.00\\ [$€-407]"/><numFmt numFmtId="172" formatCode="#,##0"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="4"/><xf numFmtId="9"/><xf numFmtId="10"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs></styleSheet>'
    },
    {
      name: "xl/sharedStrings.xml",
      content: "<sst><si><t>Name</t></si><si><r><t>Da</t></r><r><t>te</t></r></si></sst>"
    },
    ...sheets.map(([, rows], i) => ({
      name: `xl/worksheets/sheet${i}.xml`,
      content: `<worksheet><sheetData>${rows}</sheetData></worksheet>`
    }))
  ])

/** A presentation of slides, each the content of `p:spTree`; they are shown in the reverse order of their files. */
export const pptx = (slides: ReadonlyArray<string>): Uint8Array =>
  zip([
    contents("ppt/presentation.xml", "presentationml.presentation"),
    relationsFile(
      "ppt/_rels/presentation.xml.rels",
      slides.map((_, i) => [`r${i}`, "slide", `slides/slide${slides.length - i}.xml`] as const)
    ),
    {
      name: "ppt/presentation.xml",
      content: `<p:presentation><p:sldIdLst>${slides
        .map((_, i) => `<p:sldId id="${256 + i}" r:id="r${i}"/>`)
        .join("")}</p:sldIdLst></p:presentation>`
    },
    ...slides.map((slide, i) => ({
      name: `ppt/slides/slide${slides.length - i}.xml`,
      content: `<p:sld><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`
    }))
  ])

/** An OpenDocument text with the given content of `office:text`; `footer` is on every page. */
export const odt = (text: string, footer = ""): Uint8Array =>
  zip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text" },
    {
      name: "content.xml",
      content: `<office:document-content><office:body><office:text>${text}</office:text></office:body></office:document-content>`
    },
    {
      name: "styles.xml",
      content: `<office:document-styles><style:footer>${footer}</style:footer></office:document-styles>`
    }
  ])
