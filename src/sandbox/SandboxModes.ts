import { existsSync, lstatSync, readlinkSync } from "node:fs"
import { systemPaths } from "./Readable.ts"

/** How a sandboxed program is isolated, strongest first; `docs/operating.md` describes the modes. */
export type SandboxMode =
  "bwrap" | "bwrap without --disable-userns" | "bwrap without /proc" | "unshare" | "permissions"

/** A command and its parameters. */
export type CommandLine = readonly [string, ...ReadonlyArray<string>]

/** Wraps a command so that it runs inside; `readable` are files and folders that it needs in addition to the system's. */
type Wrap = (command: CommandLine, readable: ReadonlyArray<string>) => CommandLine

const programOf = (name: string): string | undefined =>
  [`/usr/bin/${name}`, `/bin/${name}`, `/usr/local/bin/${name}`].find((path) => existsSync(path))

/** Binds a path read-only; nothing else can be read. Links of the system (`/lib` → `usr/lib`) remain links. */
const bind = (path: string): ReadonlyArray<string> =>
  existsSync(path) && lstatSync(path).isSymbolicLink() && systemPaths.includes(path)
    ? ["--symlink", readlinkSync(path), path]
    : ["--ro-bind-try", path, path]

const words = (text: string): ReadonlyArray<string> => text.split(/\s+/u)

const isolated = words(
  "--unshare-all --unshare-user --uid 65534 --gid 65534 --cap-drop ALL --die-with-parent --new-session"
)

const bubblewrap =
  (program: string, options: string): Wrap =>
  (command, readable) => [
    program,
    ...isolated,
    ...[...systemPaths, process.execPath, ...readable].flatMap(bind),
    ...words(`--dev /dev --remount-ro /dev ${options} --remount-ro / --chdir / --`),
    ...command
  ]

/**
 * Makes every mounted file system read-only, with the flags that it has, and runs the rest of the command without
 * privileges. A mount that cannot be changed ends it: then this mode is not available.
 */
const readOnlyScript = `set -e
while read -r _ _ _ _ point flags _; do
  case "$flags" in rw*) mount -o "remount,bind,ro\${flags#rw}" "$point";; esac
done </proc/self/mountinfo
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"`

const inNamespaces = words(
  "--user --map-root-user --pid --net --ipc --uts --mount --fork --kill-child=SIGKILL --mount-proc -- /bin/sh -c"
)

const namespaces =
  (program: string): Wrap =>
  (command) => [program, ...inNamespaces, readOnlyScript, "sandbox", ...command]

const unprivileged =
  (program: string): Wrap =>
  (command) => [program, "--no-new-privs", "--", ...command]

/** A mode, and how a command is started in it. */
export type InstalledMode = readonly [SandboxMode, Wrap]

/** The modes whose programs are installed, strongest first; the last one needs none. */
export const installedModes = (): ReadonlyArray<InstalledMode> => {
  const bwrap = programOf("bwrap")
  const unshare = programOf("unshare")
  const setpriv = programOf("setpriv")
  return [
    ...(bwrap === undefined
      ? []
      : ([
          ["bwrap", bubblewrap(bwrap, "--proc /proc --disable-userns")],
          // Before version 0.8, it cannot forbid nested namespaces.
          ["bwrap without --disable-userns", bubblewrap(bwrap, "--proc /proc")],
          // A container may hide parts of /proc; then the kernel does not allow mounting another one.
          ["bwrap without /proc", bubblewrap(bwrap, "--dir /proc")]
        ] as const)),
    ...(unshare === undefined ? [] : ([["unshare", namespaces(unshare)]] as const)),
    ...(setpriv === undefined ? [] : ([["permissions", unprivileged(setpriv)]] as const)),
    ["permissions", (command) => command]
  ]
}
