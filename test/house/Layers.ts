/** A layer of the project: a part that may import only certain others. */
export type Layer = keyof typeof mayImport

/**
 * Who may import whom; a layer may always import itself. `config` and the ports (the interfaces of providers) are common
 * ground: they hold no implementation.
 */
export const mayImport = {
  // What any part may use: it knows nothing of docflow.
  support: [],
  // The language knows the codes that an execution can fail with.
  dsl: ["domain", "support"],
  domain: ["support"],
  config: ["domain", "support"],
  ports: ["domain", "support"],
  api: ["domain", "support"],
  // Users of the client get neither Effect nor any other package.
  client: [],
  // How programs are started that handle what strangers send.
  sandbox: [],
  document: ["domain", "ports", "sandbox", "support"],
  // Numbers in what models answer are read like those of documents.
  providers: ["domain", "config", "ports", "sandbox", "extraction", "support"],
  sql: ["domain", "config", "ports", "support"],
  // Reads the fields of a document that was read before: it knows neither models nor steps.
  extraction: ["domain", "document", "sandbox", "support"],
  steps: ["dsl", "domain", "document", "extraction", "ports", "sandbox", "support"],
  engine: ["dsl", "domain", "sql", "config", "ports", "support"],
  // Admission looks at a document (its type, its pages) before it accepts the execution; corrections are read like documents.
  services: ["domain", "dsl", "engine", "sql", "config", "ports", "document", "extraction", "support"],
  http: ["api", "services", "domain", "config", "support"],
  // Its pages draw flows and compare their versions.
  dashboard: ["api", "http", "services", "domain", "config", "dsl", "support"],
  // The tools of assistants run flows in their own process, as the command line does.
  mcp: ["services", "domain", "config", "dsl", "document", "ports", "support"],
  cli: ["api", "services", "domain", "config", "dsl", "client", "mcp", "entry", "support"],
  allSteps: ["steps", "dsl"],
  entry: "everything"
} as const satisfies Record<string, ReadonlyArray<string> | "everything">

/** The packages that layers without side effects may use; every other layer may use all dependencies. */
export const mayUse: Partial<Record<Layer, ReadonlyArray<string>>> = {
  // A hash has no effects either.
  support: ["effect", "node:crypto", "node:module", "node:path"],
  domain: ["effect"],
  api: ["effect", "support"],
  client: ["node:crypto"],
  // The reference shows a program that imports docflow; nothing of dsl imports it.
  dsl: ["effect", "yaml", "@marcbachmann/cel-js", "re2js", "ajv", "docflow"]
}

/** The folders of a layer from the lowest to the highest: each may import only those before it. */
export const floors: Readonly<Record<string, ReadonlyArray<string>>> = {
  dsl: ["source", "types", "expression", "model", "check", "tools", "builder"],
  "src/extraction": [
    "fields",
    "lexicon",
    "values",
    "layout",
    "kinds",
    "models",
    "candidates",
    "names",
    "tables",
    "sums",
    "features",
    "rules",
    "grounding",
    "examples",
    "threads"
  ],
  "src/services": [
    "storage",
    "admission",
    "users",
    "organizations",
    "flows",
    "webhooks",
    "executions",
    "pages",
    "examples",
    "corrections",
    "events",
    "local-runs",
    "replays",
    "retention",
    "test-sets",
    "proposals"
  ]
}

/** The place of a file among the floors of its layer; `undefined` where the layer has none or the file is at its top. */
export const floorOf = (file: string): { readonly layer: string; readonly floor: string } | undefined => {
  const layer = Object.keys(floors).find((folder) => file.startsWith(`${folder}/`))
  const parts = layer === undefined ? [] : file.slice(layer.length + 1).split("/")
  return layer === undefined || parts.length < 2 ? undefined : { layer, floor: parts[0] ?? "" }
}

const files: Record<string, Layer> = {
  "src/main.ts": "entry",
  "src/index.ts": "entry",
  "src/Docflow.ts": "entry",
  "src/steps/All.ts": "allSteps",
  "src/providers/blobs/Blobs.ts": "ports",
  "src/providers/llm/Llm.ts": "ports",
  "src/providers/llm/ModelAccounts.ts": "ports",
  "src/providers/llm/ModelRun.ts": "ports",
  "src/providers/llm/Tokens.ts": "ports",
  "src/providers/documents/OwnDocuments.ts": "ports",
  // Local runs keep their document there; steps read it by `OwnDocuments`.
  "src/providers/documents/LocalDocuments.ts": "ports",
  "src/providers/examples/LearnedExamples.ts": "ports",
  "src/providers/identity/IdentityProvider.ts": "ports",
  "src/providers/ocr/Ocr.ts": "ports",
  "src/providers/outbound/Outbound.ts": "ports",
  // Where anything may be sent to: steps and services ask it before they send by `Outbound`.
  "src/providers/outbound/TargetPolicy.ts": "ports"
}

const folders: Record<string, Layer> = {
  app: "entry",
  api: "api",
  cli: "cli",
  client: "client",
  config: "config",
  dashboard: "dashboard",
  document: "document",
  domain: "domain",
  engine: "engine",
  extraction: "extraction",
  http: "http",
  mcp: "mcp",
  providers: "providers",
  sandbox: "sandbox",
  services: "services",
  sql: "sql",
  steps: "steps",
  support: "support"
}

/** The layer of a file; `undefined` for a place that the architecture does not know. */
export const layerOf = (file: string): Layer | undefined => {
  if (file.startsWith("dsl/")) return "dsl"
  const folder = /^src\/([\w-]+)\//.exec(file)?.[1]
  return files[file] ?? (folder === undefined ? undefined : folders[folder])
}
