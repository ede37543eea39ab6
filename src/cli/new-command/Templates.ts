/** The templates of `docflow new flow`, by name: functions from an id to the text of a flow. */
export const templates = {
  extract: (id: string): string => `docflow: 1
id: ${id}
version: 1.0.0
name: ${id}
document:
  formats: [application/pdf, image/png, image/jpeg]

steps:
  - id: read
    uses: parse
    with:
      document: \${{ input.document }}

  - id: fields
    uses: extract
    with:
      document: \${{ steps.read.document }}
      using: [examples, rules]
      fields:
        # A field is found by the labels that are printed next to its value.
        number: { type: identifier, labels: [Number, No] }
        date: { type: date, labels: [Date] }
        total: { type: money, labels: [Total] }

output:
  value:
    number: \${{ steps.fields.values.number }}
    date: \${{ steps.fields.values.date }}
    total: \${{ steps.fields.values.total }}
`,
  text: (id: string): string => `docflow: 1
id: ${id}
version: 1.0.0
name: ${id}
document:
  formats: [application/pdf, image/png, image/jpeg, text/plain]

steps:
  - id: read
    uses: parse
    with:
      document: \${{ input.document }}

output:
  value:
    text: \${{ steps.read.text }}
    pages: \${{ steps.read.pageCount }}
`,
  model: (id: string): string => `docflow: 1
id: ${id}
version: 1.0.0
name: ${id}
document:
  formats: [application/pdf, image/png, image/jpeg]

steps:
  - id: read
    uses: parse
    with:
      document: \${{ input.document }}

  - id: fields
    uses: extract
    with:
      document: \${{ steps.read.document }}
      # Rules first; the model of DOCFLOW_LLM is asked for what they leave open.
      using: [examples, rules, llm]
      fields:
        subject: { type: string, description: What the document is about in one sentence. }
        date: { type: date, labels: [Date] }

output:
  value:
    subject: \${{ steps.fields.values.subject }}
    date: \${{ steps.fields.values.date }}
`
} as const satisfies Readonly<Record<string, (id: string) => string>>
