/** A room of the house: a part of the project that may use only certain others. */
export type Room = keyof typeof mayImport

/**
 * Who may import whom, as the architecture says; a room may always import itself. `Config` and the ports (the interfaces
 * of providers) are common ground: they hold no implementation.
 */
export const mayImport = {
  dsl: [],
  domain: [],
  config: ["domain"],
  ports: ["domain"],
  api: ["domain"],
  client: ["api", "domain"],
  document: ["domain", "ports"],
  providers: ["domain", "config", "ports"],
  sql: ["domain", "config", "ports"],
  steps: ["dsl", "domain", "document", "ports"],
  engine: ["dsl", "domain", "sql", "config", "ports"],
  // A document is looked at (its type, its pages) before its execution is accepted.
  services: ["domain", "dsl", "engine", "sql", "config", "ports", "document"],
  http: ["api", "services", "domain", "config"],
  dashboard: ["api", "services", "domain", "config"],
  cli: ["api", "services", "domain", "config", "dsl", "client", "entry"],
  allSteps: ["steps", "dsl"],
  entry: "everything"
} as const satisfies Record<string, ReadonlyArray<string> | "everything">

/** The packages that the rooms without side effects may use; every other room may use the package's dependencies. */
export const mayUse: Partial<Record<Room, ReadonlyArray<string>>> = {
  domain: ["effect"],
  api: ["effect"],
  dsl: ["effect", "yaml", "@marcbachmann/cel-js", "re2js", "ajv"]
}

const files: Record<string, Room> = {
  "src/main.ts": "entry",
  "src/App.ts": "entry",
  "src/Serve.ts": "entry",
  "src/index.ts": "entry",
  "src/Docflow.ts": "entry",
  "src/Config.ts": "config",
  "src/Config/ModelSettings.ts": "config",
  "src/Config/Setting.ts": "config",
  "src/steps/All.ts": "allSteps",
  "src/providers/Blobs.ts": "ports",
  "src/providers/Llm.ts": "ports",
  "src/providers/Ocr.ts": "ports",
  "src/providers/Outbound.ts": "ports",
  // Where anything may be sent to: steps and services ask it before they send by `Outbound`.
  "src/providers/TargetPolicy.ts": "ports"
}

const folders: Record<string, Room> = {
  api: "api",
  cli: "cli",
  client: "client",
  dashboard: "dashboard",
  document: "document",
  domain: "domain",
  engine: "engine",
  http: "http",
  providers: "providers",
  sql: "sql",
  steps: "steps"
}

/** The room a file is in; `undefined` for a place that the architecture does not know. */
export const roomOf = (file: string): Room | undefined => {
  if (file.startsWith("dsl/")) return "dsl"
  const service = /^src\/[A-Z]\w*(?:\.ts$|\/)/
  const folder = /^src\/(\w+)\//.exec(file)?.[1]
  return files[file] ?? (service.test(file) ? "services" : folder === undefined ? undefined : folders[folder])
}
