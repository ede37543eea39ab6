/**
 * Checks the OpenAPI document that the service serves with the tools that its users have: two linters find no error in it,
 * and the clients that three generators make of it compile under `--strict` together with a program that uses them.
 *
 * The tools are the packages of `scripts/checkers`; none of them needs the network. Only what fails is printed.
 */
import { OpenApi } from "effect/http-api"
import { type ExecFileException, execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Api } from "../src/api/Api.ts"
import { compilerOptions, program } from "./checkers/Uses.ts"

const folder = await mkdtemp(join(tmpdir(), "docflow-openapi-"))
const document = join(folder, "openapi.json")
const clients = join(folder, "clients")
const tools = fileURLToPath(new URL("checkers/node_modules/", import.meta.url))

const environment = {
  ...process.env,
  // Redocly would report its use and ask for newer versions.
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  NO_COLOR: "1"
}

/** A tool that failed, with what it printed. */
interface Failure {
  readonly tool: string
  readonly printed: string
}

/** Runs a program of a package; the failure, if it ends with another code than 0. */
const run = (
  tool: string,
  program: string,
  ...args: ReadonlyArray<string>
): Promise<ReadonlyArray<Failure>> =>
  new Promise((resolve) => {
    const ended = (error: ExecFileException | null, stdout: string, stderr: string) =>
      resolve(error === null ? [] : [{ tool, printed: `${stdout}${stderr}` }])
    execFile(process.execPath, [program, ...args], { cwd: folder, env: environment, timeout: 300_000 }, ended)
  })

const ruleset = join(folder, "ruleset.json")
const lints = () => [
  run("redocly", `${tools}@redocly/cli/bin/cli.js`, "lint", document, "--extends", "recommended"),
  run("spectral", `${tools}@stoplight/spectral-cli/dist/index.js`, "lint", document, "--ruleset", ruleset)
]

const generators = () => [
  run(
    "openapi-typescript",
    `${tools}openapi-typescript/bin/cli.js`,
    document,
    "--output",
    join(clients, "openapi-typescript.ts")
  ),
  run(
    "hey-api",
    `${tools}@hey-api/openapi-ts/bin/run.js`,
    "--input",
    document,
    "--output",
    join(clients, "hey-api"),
    "--no-log-file"
  ),
  run(
    "orval",
    `${tools}orval/dist/bin/orval.mjs`,
    "--input",
    document,
    "--output",
    join(clients, "orval.ts"),
    "--client",
    "fetch"
  )
]

const compile = async () => {
  const generated = (await Promise.all(generators())).flat()
  return generated.length > 0
    ? generated
    : run("tsc", fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url)), "-p", folder)
}

await mkdir(clients)
await writeFile(document, JSON.stringify(OpenApi.fromApi(Api)))
await writeFile(ruleset, '{ "extends": ["spectral:oas"] }')
await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["clients"] }))
await writeFile(join(clients, "program.ts"), program)
const failures = (await Promise.all([...lints(), compile()])).flat()
await rm(folder, { recursive: true, force: true })
for (const { tool, printed } of failures) console.error(`${tool}:\n${printed}`)
process.exitCode = failures.length > 0 ? 1 : 0
