import { steps } from "docflow"
import { Flow, toYaml } from "docflow/dsl"

const read = Flow.step("read", steps.parse, { document: Flow.document })
const fields = Flow.step("fields", steps.extract, {
  document: read.output.at("document"),
  using: ["rules"],
  fields: { total: { preset: "invoice.totalAmount" } }
})
const large = Flow.stepIf(Flow.expression("steps.read.pageCount > 10"), "large", steps.transform, {
  value: `A document of ${read.output.at("pageCount")} pages`
})

export const flow = Flow.make({
  id: "totals",
  version: "1.0.0",
  name: "Totals",
  document: { formats: ["application/pdf"] },
  steps: [read, fields, large],
  output: { value: { total: fields.output.at("values").at("total"), remark: large.output } }
})

/** The text of flows/totals/1.0.0.yaml. */
export const yaml = toYaml(flow)
