import { Document, isMap, isScalar, isSeq, visit } from "yaml"
import type { FlowDefinition, FlowSource } from "../model/FlowDefinition.ts"

/** How a definition is written. */
export interface ToYamlOptions {
  /** The path of `flow.schema.json` from the file, for editors. */
  readonly schema?: string
}

const shortest = 100

/** Writes a definition as a flow file; reading the file returns the same definition. */
export const toYaml = (definition: FlowDefinition | FlowSource, options: ToYamlOptions = {}): string => {
  const document = new Document(definition, { aliasDuplicateObjects: false, version: "1.2" })
  visit(document, (_, node) => {
    // Objects of plain values read best on one line, as people write them.
    if ((isMap(node) || isSeq(node)) && isPlain(node) && String(JSON.stringify(node)).length < shortest)
      node.flow = true
  })
  const body = document.toString({ lineWidth: 0, flowCollectionPadding: true })
  return options.schema === undefined ? body : `# yaml-language-server: $schema=${options.schema}\n${body}`
}

const isPlain = (node: { readonly items: ReadonlyArray<unknown> }): boolean =>
  node.items.length > 0 &&
  node.items.every(
    (item) =>
      isScalar(item) || (typeof item === "object" && item !== null && "value" in item && isScalar(item.value))
  )
