import { describe, expect, it } from "vitest"
import { editorSchema } from "../../dsl/index.ts"
import { complete } from "../../dsl/tools/Complete.ts"
import { allSteps } from "../../src/steps/All.ts"

const schema = editorSchema(allSteps)

/** The words that are offered at the bar. */
const offered = (text: string) => {
  const position = text.indexOf("|")
  const source = text.replace("|", "")
  const { from, words } = complete(source, position, { registry: allSteps, schema })
  return { typed: source.slice(from, position), labels: words.map(({ label }) => label) }
}

const head = `docflow: 1
id: example
version: 1.0.0
name: Example
description: An example.
document: { formats: [application/pdf] }
credits: { perPage: 1 }
variables:
  type: object
  properties: { gate: { type: string } }
`

const extract = `${head}steps:
  - id: read
    uses: parse
  - id: fields
    uses: extract
    with:
      document: \${{ steps.read.document }}
      fields:
        total: { preset: invoice.totalAmount }
        number: { type: string }
`

describe("what is offered while a flow is typed", () => {
  it("the keys of a flow that are not there yet, required ones first", () => {
    const { labels } = offered(`docflow: 1\nid: a\n|`)
    expect(labels.slice(0, 2)).toEqual(["version", "name"])
    expect(labels).toContain("timeout")
    expect(labels).not.toContain("id")
  })

  it("the keys of a step, and only one thing that it does", () => {
    expect(offered(`${head}steps:\n  - |`).labels).toContain("uses")
    const { labels, typed } = offered(`${head}steps:\n  - id: read\n    uses: parse\n    wi|`)
    expect(typed).toBe("wi")
    expect(labels).toContain("with")
    expect(labels).not.toContain("forEach")
  })

  it("the step kinds, with what they do", () => {
    expect(offered(`${head}steps:\n  - id: read\n    uses: |`).labels).toEqual(
      [...allSteps.kinds.keys()].sort()
    )
    expect(offered(`${head}steps: [{ id: read, uses: pa| }]`).labels).toContain("parse")
  })

  it("the configuration of the step's own kind", () => {
    expect(offered(`${head}steps:\n  - id: read\n    uses: parse\n    with:\n      |`).labels).toContain(
      "ocr"
    )
    expect(offered(`${extract}      |`).labels).toContain("using")
    expect(offered(`${extract}      |`).labels).not.toContain("ocr")
  })

  it("the keys, types and presets of fields", () => {
    expect(offered(`${extract}        day: { | }`).labels).toEqual(expect.arrayContaining(["preset", "type"]))
    expect(offered(`${extract}        day: { preset: | }`).labels).toContain("invoice.documentType")
    expect(offered(`${extract}        day:\n          type: |`).labels).toContain("date")
    expect(offered(`${extract}      using:\n        - |`).labels).toContain("rules")
  })

  it("in an expression: earlier steps, their outputs and the fields that they extract", () => {
    const later = `${extract}  - id: check\n    uses: transform\n    with:\n      value: `
    expect(offered(`${later}\${{ | }}`).labels).toEqual(["steps", "variables", "input"])
    expect(offered(`${later}\${{ steps.| }}`).labels).toEqual(["read", "fields"])
    expect(offered(`${later}\${{ steps.fi|`)).toEqual({ typed: "fi", labels: ["read", "fields"] })
    expect(offered(`${later}\${{ steps.read.| }}`).labels).toContain("document")
    expect(offered(`${later}\${{ steps.fields.values.| }}`).labels).toEqual(["total", "number"])
    expect(offered(`${later}\${{ variables.| }}`).labels).toEqual(["gate"])
    expect(offered(`${extract.replace("steps.read.document", "steps.|")}`).labels).toEqual(["read"])
    expect(
      offered(`${extract}output:\n  value:\n    total: \${{ steps.fields.values.to| }}\n`).labels
    ).toContain("total")
  })

  it("nothing for what is no flow, and nothing that breaks", () => {
    for (const text of ["|", "- - |", "a: [|", "\u0000|", "{{{{|", `${"[".repeat(100)}|`, "&a [*a]: |"])
      expect(offered(text).labels.length).toBeLessThan(20)
  })
})
