import { version } from "../../support/Version.ts"

const flow = `docflow: 1
id: letter
version: 1.0.0
name: Letter
description: Reads the reference and the date of a letter.
document:
  formats: [application/pdf, image/png, image/jpeg, text/plain]

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
        reference: { type: identifier, labels: [Our reference, Reference] }
        date: { type: date, labels: [Date] }

output:
  value:
    reference: \${{ steps.fields.values.reference }}
    date: \${{ steps.fields.values.date }}
`

const letter = `Northwind Paper Supply
12 Harbour Street, Portsmouth

Our reference: NW-2041
Date: 14 March 2026

Dear customer,

thank you for your order. It left our warehouse today.

Kind regards
Northwind Paper Supply
`

const testSet = `tests: 1
flow: letter
cases:
  - document: ../../../documents/letter.txt
    expect:
      reference: NW-2041
      date: 2026-03-14
`

const workflow = `name: flows
on: [push, pull_request]
jobs:
  flows:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with: { node-version: 24 }
      # The secret DOCFLOW_PACKAGE is the address of docflow-${version}.tgz of a release.
      - run: npm install --no-save "$DOCFLOW_PACKAGE"
        env: { DOCFLOW_PACKAGE: "\${{ secrets.DOCFLOW_PACKAGE }}" }
      - run: npx --no docflow check flows/*/*.yaml
      - run: npx --no docflow test letter
`

/** The files of a new project. */
export const starterFiles: ReadonlyArray<{ readonly name: string; readonly text: string }> = [
  { name: "flows/letter/1.0.0.yaml", text: flow },
  { name: "flows/letter/tests/examples.yaml", text: testSet },
  { name: "documents/letter.txt", text: letter },
  { name: ".github/workflows/flows.yml", text: workflow },
  { name: ".gitignore", text: ".docflow/\nnode_modules/\n" }
]
