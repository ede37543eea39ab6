import { spawnSync } from "node:child_process"

/** Runs a program to its end: what it prints. Throws what it says on standard error if it fails. */
export const run = (command: string, args: ReadonlyArray<string>, cwd = "."): string => {
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024
  })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(" ")} failed:\n${stderr}`)
}

/** Whether a program runs with these parameters. */
export const runs = (command: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0
