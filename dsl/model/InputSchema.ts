import { Predicate, type JsonSchema } from "effect"
import type { FlowDefinition } from "./FlowDefinition.ts"
import { defined } from "../../src/support/Defined.ts"

/** The JSON Schema of a run's `input`, as the API shows it. */
export const inputSchema = ({ variables }: FlowDefinition): JsonSchema.JsonSchema => ({
  type: "object",
  required: mustHaveVariables(variables) ? ["document", "variables"] : ["document"],
  properties: {
    document: {
      type: "object",
      required: ["base64"],
      properties: {
        base64: {
          type: "string",
          description: "The document, Base64 encoded, with or without a data URL prefix."
        },
        filename: { type: "string", description: "The original file name." },
        mimeType: { type: "string", description: "Its MIME type, detected when omitted." }
      }
    },
    ...defined({ variables })
  }
})

const mustHaveVariables = (variables: FlowDefinition["variables"]): boolean => {
  const required = variables?.["required"]
  const properties = variables?.["properties"]
  const hasDefault = (name: unknown): boolean =>
    Predicate.hasProperty(properties, String(name)) &&
    Predicate.hasProperty(properties[String(name)], "default")
  return Array.isArray(required) && required.some((name) => !hasDefault(name))
}
