import { afterEach, assert, describe, it } from "@effect/vitest"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"

const program = [process.execPath, "test/durability/HoldFolder.ts"] as const
const inOwnNamespace = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"] as const
const mayUnshare = spawnSync(inOwnNamespace[0], [...inOwnNamespace.slice(1), "true"]).status === 0
const reason = mayUnshare ? "" : " (skipped: unshare --pid is not permitted here)"

describe("the lock of a data folder", () => {
  const children: Array<ChildProcess> = []
  const folders: Array<string> = []
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL")
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
  })

  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), "docflow-lock-"))
    folders.push(folder)
    return join(folder, "database")
  }

  /** Runs a command; resolves with its first line of output. */
  const firstLine = ([command, ...parameters]: readonly [string, ...ReadonlyArray<string>]) =>
    new Promise<{ readonly line: string; readonly child: ChildProcess }>((resolve, reject) => {
      const child = spawn(command, parameters, { stdio: ["ignore", "pipe", "inherit"] })
      children.push(child)
      child.once("error", reject).once("exit", (code) => reject(new Error(`it exited with ${code}`)))
      createInterface({ input: child.stdout }).once("line", (line) => resolve({ line, child }))
    })

  it("refuses a second process and says what to do", async () => {
    const folder = await newFolder()
    assert.strictEqual((await firstLine([...program, folder])).line, "held")
    const { line } = await firstLine([...program, folder])
    assert.strictEqual(
      line,
      `${folder} is in use by another docflow process. Stop it, or set DOCFLOW_DATA_DIR to another folder`
    )
  })

  it.skipIf(!mayUnshare)(`is seen from another PID namespace, both ways${reason}`, async () => {
    const [inside, outside] = await Promise.all([newFolder(), newFolder()])
    const holders = await Promise.all([
      firstLine([...inOwnNamespace, ...program, inside]),
      firstLine([...program, outside])
    ])
    assert.deepStrictEqual(
      holders.map(({ line }) => line),
      ["held", "held"]
    )
    const others = await Promise.all([
      firstLine([...program, inside]),
      firstLine([...inOwnNamespace, ...program, inside]),
      firstLine([...inOwnNamespace, ...program, outside])
    ])
    for (const { line } of others) assert.include(line, "in use")
  })

  it("is taken over from a process that was killed, and from one that nobody has reaped", async () => {
    const folder = await newFolder()
    const killed = await firstLine([...program, folder])
    killed.child.kill("SIGKILL")
    assert.strictEqual((await firstLine([...program, folder])).line, "held")

    const other = await newFolder()
    // The shell becomes `sleep`, which never reaps its child: killed, that stays a zombie.
    const script = `${program.join(" ")} ${other} & echo $! >&3; exec sleep 60`
    const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit", "pipe"] })
    children.push(parent)
    const { stdio } = parent
    const pid = await new Promise<number>((resolve) =>
      stdio[3]?.once("data", (line: Buffer) => resolve(Number(line.toString())))
    )
    await new Promise((resolve) => parent.stdout?.once("data", resolve))
    process.kill(pid, "SIGKILL")
    assert.strictEqual((await firstLine([...program, other])).line, "held")
    assert.strictEqual(process.kill(pid, 0), true, "the killed process is still a zombie")
  })
})
