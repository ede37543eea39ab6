import { Schema } from "effect"

/** A corrected execution as a test set of one case. */
export const ExportedCase = Schema.Struct({
  name: Schema.String.annotate({ description: "File name for `text`." }),
  text: Schema.String.annotate({ description: "A test set that `docflow test` reads, as YAML." }),
  document: Schema.optionalKey(
    Schema.Struct({ filename: Schema.String, base64: Schema.String }).annotate({
      description:
        "The document, under the name that the case has for it. Only if the organization allows the export of documents, and up to 10 MiB."
    })
  )
}).annotate({
  identifier: "ExportedCase",
  examples: [
    {
      name: "exec_01M7.yaml",
      text: "tests: 1\nflow: invoice\ncases:\n  - name: exec_01M7\n    document: invoice.pdf\n    expect:\n      totalAmount: 1190\n"
    }
  ]
})
export type ExportedCase = typeof ExportedCase.Type
