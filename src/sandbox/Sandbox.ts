import { Context, Effect, Layer } from "effect"
import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process"
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs"
import { constants } from "node:os"
import { dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** A path and, if it is a link, its target. */
const withTarget = (path: string): ReadonlyArray<string> =>
  existsSync(path) ? [...new Set([path, realpathSync(path)])] : []

const ancestorsOf = (folder: string): ReadonlyArray<string> =>
  dirname(folder) === folder ? [folder] : [folder, ...ancestorsOf(dirname(folder))]

/**
 * The folders that a module needs: its package, and every `node_modules` from which it can import. Nothing else of the
 * package's surroundings, in particular no data folder outside of it.
 */
const readableFor = (module: string): ReadonlyArray<string> => {
  const ancestors = ancestorsOf(dirname(module))
  const root = ancestors.find((folder) => existsSync(join(folder, "package.json")))
  const own =
    root === undefined
      ? [dirname(module)]
      : [...programFolders, "package.json"].map((name) => join(root, name))
  return [...own, ...ancestors.map((folder) => join(folder, "node_modules"))].flatMap(withTarget)
}

/** The folders of a package with its program: the sources, or what is built from them. */
const programFolders = ["src", "dsl", "dist"]

/** What Node.js itself and native modules load. */
const systemPaths: ReadonlyArray<string> = [
  "/usr",
  "/bin",
  "/lib",
  "/lib64",
  "/nix/store",
  "/etc/ld.so.cache",
  // The number of processors, which onnxruntime and libvips read.
  "/sys/devices/system/cpu"
]

/** How a sandboxed program is isolated, strongest first; `docs/operating.md` describes the modes. */
type SandboxMode =
  "bwrap" | "bwrap without --disable-userns" | "bwrap without /proc" | "unshare" | "permissions"

/** A command and its parameters. */
type CommandLine = readonly [string, ...ReadonlyArray<string>]

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
type InstalledMode = readonly [SandboxMode, Wrap]

/** The modes whose programs are installed, strongest first; the last one needs none. */
const installedModes = (): ReadonlyArray<InstalledMode> => {
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

/** A program of Node.js that handles untrusted data. */
export interface SandboxedProgram {
  /** Its main module. */
  readonly module: URL
  /** All the memory it may use. */
  readonly memoryMiB: number
  /** More flags for Node.js. */
  readonly flags?: ReadonlyArray<string>
  /** Files and folders that it reads, in addition to its package and the packages that it imports. */
  readonly readable?: ReadonlyArray<string>
}

/** Any other program that handles untrusted data. */
export interface SandboxedCommand {
  /** The program's file, and its parameters. */
  readonly command: CommandLine
  /** All the memory it may use. */
  readonly memoryMiB: number
  /** Files and folders that it reads, in addition to the system's. */
  readonly readable: ReadonlyArray<string>
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>
}

const prlimit = programOf("prlimit")
const choom = programOf("choom")

/** Where memory is short, the system ends such a program before the service: another one takes the document then. */
const endedFirst = (command: CommandLine): CommandLine =>
  choom === undefined ? command : [choom, "-n", "1000", "--", ...command]

/** Address space that V8 reserves for machine code; the limit on data counts it. */
const reservedMiB = 640
const wasmPagesPerMiB = 16

/** Limits the memory by the operating system: V8's own limits do not cover buffers and mappings of WebAssembly. */
const limited = (memoryMiB: number, command: CommandLine): CommandLine =>
  prlimit === undefined ? command : [prlimit, `--data=${(memoryMiB + reservedMiB) * 1024 * 1024}`, ...command]

const confined = new URL(`./Confined${extname(new URL(import.meta.url).pathname)}`, import.meta.url)

const nodeCommand = (
  { flags = [], memoryMiB, module }: SandboxedProgram,
  readable: ReadonlyArray<string>
): CommandLine => [
  process.execPath,
  `--max-old-space-size=${memoryMiB}`,
  `--wasm-max-mem-pages=${memoryMiB * wasmPagesPerMiB}`,
  // A second barrier inside the namespaces, and the only one without them: no writing, no processes, no eval.
  "--permission",
  ...readable.map((path) => `--allow-fs-read=${path}`),
  // Pictures are decoded by libvips, a native module.
  "--allow-addons",
  // It writes files without asking for permission.
  "--no-experimental-sqlite",
  "--disallow-code-generation-from-strings",
  "--no-warnings",
  // No inspector, whoever sends the signal that would open it.
  "--disable-sigusr1",
  `--import=${confined.href}`,
  ...flags,
  fileURLToPath(module)
]

/**
 * Settings of glibc's allocator, which otherwise keeps a pool for every thread. Blocks of up to 33 MB, such as the tensors of
 * recognition, stay in one pool: where the machine is slow to map memory, as virtual machines may be, mapping each anew takes
 * most of the time of a page.
 */
const memorySettings = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "33000000",
  MALLOC_TRIM_THRESHOLD_: "48000000"
}

const run = promisify(execFile)

/**
 * How long Node.js may take to start in a mode, in milliseconds. Only a hanging process takes that long: a busy machine
 * must not get a weaker sandbox because it is slow.
 */
const patience = 120_000

/** Whether Node.js starts in a mode. */
const starts = ([, wrap]: InstalledMode): Effect.Effect<boolean> => {
  const [program, ...parameters] = wrap([process.execPath, "--version"], [])
  return Effect.tryPromise(() => run(program, parameters, { env: {}, timeout: patience })).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false)
  )
}

/** The modes that work on this machine, strongest first. */
export const workingModes: Effect.Effect<ReadonlyArray<InstalledMode>> = Effect.filter(
  installedModes(),
  starts
)

/** The strongest mode that works on this machine. */
const strongest = Effect.gen(function* () {
  for (const mode of installedModes()) if (yield* starts(mode)) return mode
  return yield* Effect.die(new Error("Node.js cannot start another process of itself"))
})

const make = ([mode, wrap]: InstalledMode) =>
  Sandbox.of({
    mode,
    spawn: (program) => {
      const readable = [...readableFor(fileURLToPath(program.module)), ...(program.readable ?? [])]
      const command = limited(program.memoryMiB, nodeCommand(program, readable))
      const [file, ...parameters] = endedFirst(wrap(command, readable))
      return spawn(file, parameters, {
        // It must not see settings and keys of the service.
        env: memorySettings,
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"]
      })
    },
    run: ({ command, environment, memoryMiB, readable }) => {
      const [file, ...parameters] = endedFirst(wrap(limited(memoryMiB, command), readable))
      return spawn(file, parameters, { env: environment, stdio: "pipe" })
    }
  })

/** What a program does to itself when it crashes or exceeds a limit of its own. */
const ownSignals: ReadonlySet<number> = new Set([
  constants.signals.SIGABRT,
  constants.signals.SIGBUS,
  constants.signals.SIGFPE,
  constants.signals.SIGILL,
  constants.signals.SIGSEGV,
  constants.signals.SIGSYS,
  constants.signals.SIGTRAP,
  constants.signals.SIGXCPU
])
const signalBase = 128

/**
 * Whether a sandboxed program that docflow did not kill was ended by the kernel or an operator: by a signal that programs
 * do not send themselves. What wraps the program reports its signal as an exit code.
 */
export const endedFromOutside = (code: number | null, signal: NodeJS.Signals | null): boolean => {
  const number = signal === null ? (code ?? 0) - signalBase : constants.signals[signal]
  return number > 0 && number < signalBase && !ownSignals.has(number)
}

/**
 * Starts programs that handle untrusted data, each without the service's environment, without new privileges, with a memory
 * limit, and in the strongest sandbox that the machine supports.
 */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    readonly mode: SandboxMode
    /**
     * Starts a program; parent and child exchange messages (`send`, `on("message")`) by structured clone. The caller
     * ends it with SIGKILL; it also exits with this process.
     */
    spawn(program: SandboxedProgram): ChildProcess
    /** Starts another program, which communicates through pipes. In the mode `permissions`, it can read files. */
    run(command: SandboxedCommand): ChildProcessWithoutNullStreams
  }
>()("docflow/sandbox/Sandbox") {
  /** The strongest mode that works here; each is tried once, when the layer is built. */
  static readonly layer = Layer.effect(Sandbox, Effect.map(strongest, make))

  /** The sandbox in a given mode. */
  static readonly layerIn = (mode: InstalledMode) => Layer.succeed(Sandbox, make(mode))
}
