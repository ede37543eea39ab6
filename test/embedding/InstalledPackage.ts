import { execFile } from "node:child_process"
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { listAt, textAt } from "../support/Json.ts"

const execute = promisify(execFile)

/** Runs Node.js in a folder; what the program printed. */
const node = async (args: ReadonlyArray<string>, cwd: string): Promise<string> =>
  (await execute(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 })).stdout

/**
 * A project that is empty but for docflow, installed as `npm install` does it: the files that `npm pack` takes. The packages
 * that docflow uses are those of the clone, one folder further up; `test/house` keeps it from using any that users do not get.
 */
export class InstalledPackage {
  readonly folder: string
  /** The folder of the package in the project. */
  readonly docflowFolder: string
  /** The files of the package, by their path in it. */
  readonly files: ReadonlyArray<string>

  private constructor(folder: string, files: ReadonlyArray<string>) {
    this.folder = folder
    this.docflowFolder = join(folder, "node_modules/docflow")
    this.files = files
  }

  /** Builds, packs and installs the clone. */
  static async make(): Promise<InstalledPackage> {
    const clone = resolve(".")
    await node(["scripts/build.ts"], clone)
    const packed = await execute("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      env: { ...process.env, npm_config_loglevel: "silent" },
      maxBuffer: 64 * 1024 * 1024
    })
    const [made] = listAt({ packed: JSON.parse(packed.stdout) }, "packed")
    const files = listAt(made, "files").map((file) => textAt(file, "path"))
    const around = await mkdtemp(join(tmpdir(), "docflow-installed-"))
    await symlink(join(clone, "node_modules"), join(around, "node_modules"))
    const folder = join(around, "project")
    const docflow = join(folder, "node_modules/docflow")
    for (const file of files) await cp(join(clone, file), join(docflow, file))
    await node([join(clone, "scripts/manifest.ts"), "published", join(docflow, "package.json")], folder)
    await writeFile(join(folder, "package.json"), '{ "type": "module" }')
    return new InstalledPackage(folder, files)
  }

  /** Writes a program into the project and runs it; what it printed. */
  async run(program: string): Promise<string> {
    await writeFile(join(this.folder, "program.js"), program)
    return node(["program.js"], this.folder)
  }

  /** What the compiler says of a program in TypeScript that it compiles with these options: nothing if all is well. */
  async compile(program: string, compilerOptions: Readonly<Record<string, unknown>>): Promise<string> {
    await writeFile(join(this.folder, "program.ts"), program)
    const nodeNext = { module: "nodenext", moduleResolution: "nodenext", target: "es2023", noEmit: true }
    const tsconfig = { compilerOptions: { ...nodeNext, ...compilerOptions }, include: ["program.ts"] }
    await writeFile(join(this.folder, "tsconfig.json"), JSON.stringify(tsconfig))
    const compiler = join(resolve("."), "node_modules/typescript/bin/tsc")
    const compiled = await execute(process.execPath, [compiler, "-p", "."], { cwd: this.folder }).catch(
      (failed: { readonly stdout: string }) => failed
    )
    return compiled.stdout
  }

  /** The arguments of Node.js that run the command `docflow`. */
  command(...args: ReadonlyArray<string>): ReadonlyArray<string> {
    return ["node_modules/docflow/dist/src/cli/Main.js", ...args]
  }

  /** Runs the command `docflow` in the project; what it printed. */
  docflow(...args: ReadonlyArray<string>): Promise<string> {
    return node(this.command(...args), this.folder)
  }

  /** Runs a program of the clone on the package; what it printed. */
  check(program: string): Promise<string> {
    return node([resolve(program), this.docflowFolder], resolve("."))
  }

  async remove(): Promise<void> {
    await rm(dirname(this.folder), { recursive: true, force: true })
  }
}
