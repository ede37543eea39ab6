import { readdirSync, readFileSync } from "node:fs"
import { Schema } from "effect"
import { answersOf, type Example, type Planned, type Row } from "./Example.ts"
import { printedPdf, printPages } from "./PrintedPdf.ts"

const fromFile = (path: string): Pick<Planned, "bytes" | "isPicture"> => ({
  bytes: () => Promise.resolve(readFileSync(path)),
  isPicture: /\.(?:jpe?g|png|webp|tiff?)$/u.test(path)
})

const Scalar = Schema.Union([Schema.String, Schema.Number, Schema.Null])
const Expected = Schema.Struct({
  fields: Schema.optionalKey(Schema.Record(Schema.String, Scalar)),
  items: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Scalar))),
  aliases: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Scalar)))
})
const Open = Schema.fromJsonString(
  Schema.Struct({ files: Schema.Array(Schema.Struct({ path: Schema.String, expected: Schema.Unknown })) })
)

const openNames: Readonly<Record<Example["flow"], Readonly<Record<string, string>>>> = {
  invoice: {
    invoice_number: "invoiceNumber",
    date: "invoiceDate",
    due_date: "dueDate",
    vendor: "vendorName",
    currency: "currency",
    subtotal: "subtotal",
    tax: "taxAmount",
    total: "totalAmount"
  },
  receipt: { vendor: "merchantName", date: "date", total: "totalAmount", currency: "currency" }
}

/** The template of an invoice: its company or producer, by its name; receipts by the first words of the shop. */
const familyOf = (flow: string, path: string, truth: Example["truth"]): string => {
  if (flow === "receipt")
    return `receipt ${String(truth["merchantName"]?.[0]).split(" ").slice(0, 2).join(" ")}`
  const name = (path.split("/").at(-1) ?? "").replace(/\..*$/u, "")
  const template = /^zug-v[12]/u.test(name)
    ? "zug-v"
    : name.replace(/\d+$/u, "").replace(/^(zug-fr|zug-mustang).*/u, "$1")
  return `invoice ${template.startsWith("azure") ? name : template}`
}

const emptyInvoice = {
  invoiceNumber: [],
  invoiceDate: [],
  dueDate: [],
  vendorName: [],
  subtotal: [],
  taxAmount: [],
  totalAmount: []
}

/** The invoices, receipts and forms of the corpus; every value that is found in a form is wrong. */
export const openExamples = (corpus: string): ReadonlyArray<Planned> =>
  Schema.decodeUnknownSync(Open)(readFileSync(`${corpus}/open/manifest.json`, "utf8")).files.flatMap(
    ({ expected, path }): ReadonlyArray<Planned> => {
      const shared = {
        source: "open" as const,
        real: true,
        name: path.split("/").at(-1) ?? path,
        ...fromFile(`${corpus}/open/${path}`)
      }
      if (path.startsWith("forms/"))
        return [{ ...shared, flow: "invoice", family: `form ${shared.name}`, truth: emptyInvoice }]
      const flow = path.startsWith("invoices/")
        ? "invoice"
        : path.startsWith("receipts/")
          ? "receipt"
          : undefined
      if (flow === undefined) return []
      const { aliases, fields = {}, items } = Schema.decodeUnknownSync(Expected)(expected)
      const truth = Object.fromEntries(
        Object.entries(fields).flatMap(([key, value]) => {
          const field = openNames[flow][key]
          return field === undefined || value === null
            ? []
            : [[field, [value, ...(aliases?.[key] ?? [])]] as const]
        })
      )
      const rows = items?.map((item): Row => [null, item["quantity"], item["unit_price"], item["total"]])
      return [
        {
          ...shared,
          flow,
          truth,
          family: familyOf(flow, path, truth),
          ...(rows === undefined ? {} : { tables: [rows] })
        }
      ]
    }
  )

const Labelled = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      file: Schema.String,
      source: Schema.String,
      set: Schema.String,
      real: Schema.Boolean,
      kinds: Schema.Array(Schema.Array(Schema.String)),
      truth: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
      notScored: Schema.optionalKey(Schema.Array(Schema.String))
    })
  )
)
const Amounts = Schema.Array(Schema.Array(Schema.Number))

/** Documents labelled by eye; a file with several documents, and documents of other kinds, have no fields. */
export const labelledExamples = (corpus: string, source: "second" | "third"): ReadonlyArray<Planned> =>
  Schema.decodeUnknownSync(Labelled)(readFileSync(`${corpus}/${source}/manifest.json`, "utf8")).map(
    ({ file, kinds, notScored = [], real, set, source: repository, truth = {} }): Planned => {
      const { documentType: _, lineItemAmounts, ...fields } = truth
      const isScored = (field: string) => !notScored.includes(field)
      const isOther = set !== "invoice" && set !== "receipt"
      const amounts =
        lineItemAmounts === undefined || lineItemAmounts === null || !isScored("lineItemAmounts")
          ? undefined
          : Schema.decodeUnknownSync(Amounts)(lineItemAmounts)
      const scored = Object.fromEntries(
        Object.entries(fields).flatMap(([field, value]) =>
          isScored(field) ? [[field, value === null ? [] : [value].flat()] as const] : []
        )
      )
      const issuer = scored["vendorName"]?.[0] ?? scored["merchantName"]?.[0]
      return Object.assign(fromFile(`${corpus}/${source}/${file}`), {
        name: file,
        family: `${repository} ${typeof issuer === "string" ? issuer : file}`,
        flow: set === "receipt" ? "receipt" : "invoice",
        source,
        real,
        truth: isOther ? emptyInvoice : scored,
        ...(set === "multi" ? {} : { kinds: kinds.flat() }),
        ...(amounts === undefined
          ? {}
          : { tables: amounts.map((rows) => rows.map((amount): Row => [null, null, null, amount])) })
      } as const)
    }
  )

const PageTruth = Schema.fromJsonString(
  Schema.Struct({
    flow: Schema.Literals(["invoice", "receipt"]),
    kind: Schema.optionalKey(Schema.String),
    expect: Schema.Record(Schema.String, Schema.Unknown),
    lines: Schema.optionalKey(Schema.Array(Schema.Array(Scalar)))
  })
)

/** The pages of HTML in folders and those inside it, each with its truth in `<script type="application/json" id="truth">`. */
export const pageExamples = (
  source: "pages" | "written" | "anecdotes",
  ...folders: ReadonlyArray<string>
): ReadonlyArray<Planned> => {
  const pages = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`)
    )
    .filter((file) => file.endsWith(".html"))
    .toSorted()
    .map((file) => ({ file, html: readFileSync(file, "utf8") }))
  let printing: Promise<void> | undefined
  const printAll = () => (printing ??= printPages(pages.map(({ html }) => html)))
  return pages.map(({ file, html }): Planned => {
    const [, json = ""] = /<script type="application\/json" id="truth">(.*?)<\/script>/su.exec(html) ?? []
    const { expect, flow, kind, lines } = Schema.decodeUnknownSync(PageTruth)(json)
    const name = (file.split("/").at(-1) ?? file).replace(".html", "")
    const planned = {
      name,
      family: `${source} ${name}`,
      flow,
      source,
      real: false,
      truth: answersOf(expect),
      bytes: async () => {
        await printAll()
        return printedPdf(html)
      },
      prints: html.replace(/^.*<body[^>]*>|<[^>]+>|&\w+;/gsu, " "),
      isPicture: false
    }
    const judged = Object.assign(planned, kind === undefined ? {} : { kinds: [kind] })
    return Object.assign(judged, lines === undefined ? {} : { tables: [lines] })
  })
}

const ElectronicTruth = Schema.StructWithRest(
  Schema.Struct({
    ambiguous: Schema.optionalKey(Schema.Array(Schema.String)),
    accept: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)
const Electronic = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ file: Schema.String, format: Schema.String, truth: ElectronicTruth }))
)
/** Electronic invoices with their truth. */
export const electronicExamples = (corpus: string): ReadonlyArray<Planned> =>
  Schema.decodeUnknownSync(Electronic)(readFileSync(`${corpus}/einvoices/manifest.json`, "utf8")).map(
    ({ file, format, truth }): Planned => {
      const { accept = {}, ambiguous = [], ...fields } = truth
      const isOpen = (field: string) =>
        ambiguous.some((text) => text.split(":")[0]?.split("/").includes(field) === true)
      const names = Object.values(openNames.invoice)
      return Object.assign(fromFile(`${corpus}/einvoices/${file}`), {
        name: file,
        family: `einvoice ${format}`,
        flow: "invoice",
        source: "einvoices",
        real: false,
        truth: Object.fromEntries(
          names.flatMap((field) => {
            const value = fields[field]
            if (isOpen(field) || value === undefined) return []
            const all = value === null ? [] : [value, ...[accept[field] ?? []].flat()]
            // The amounts of a credit note are given without a minus.
            return [[field, all.map((one) => (typeof one === "number" ? Math.abs(one) : one))] as const]
          })
        )
      } as const)
    }
  )
