import { Effect } from "effect"
import { totalmem } from "node:os"
import { defined } from "../support/Defined.ts"
import { enableCompileCache, flushCompileCache } from "node:module"
import { isAbsolute, join } from "node:path"
import { setFlagsFromString } from "node:v8"

/**
 * Settings of glibc's allocator. It keeps a pool of freed memory for each thread, and after one large block has been freed it no
 * longer returns smaller ones to the system. V8 leaves more than 100 MiB of such memory when it has compiled PostgreSQL.
 */
const allocator = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072"
}

/**
 * MiB of each half of V8's young generation, which grows to that under load: with 16, an invoice costs 4 to 8 % more CPU time,
 * because what its run still needs is copied more often. Node.js lets it grow to 64, for 200 MiB more and hardly less time.
 */
const youngGeneration = "--max-semi-space-size"
const youngGenerationMiB = 32
/** The same where the service has less memory than `small`: it takes more time then, and 70 MiB less. */
const smallYoungGenerationMiB = 8
/** MB of the container, or of the machine; without a limit, the system states zero or more than there is. */
const availableMB = Math.floor(Math.min(process.constrainedMemory() || Infinity, totalmem()) / 1024 ** 2)
/** In MB. */
const small = 1024

/**
 * Threads that help to collect a young generation of this size cost more than they save: for an invoice 1 ms of CPU of 18, which the
 * API, the rules and the database would have to share with them.
 */
const helpers = "parallel-scavenge"

/**
 * By how many percent of what is in use the old generation, with the buffers outside V8's heap, may grow until it is collected. V8
 * itself lets it grow by as little as 10 % when few objects and many large buffers are made: then every sixth document of 1 MB
 * starts a whole collection, which takes as long as three of them.
 */
const oldGeneration = "--heap-growing-percent"
const growth = 100

/** Lets the service collect garbage by itself, once it has started. */
const exposesCollection = "--expose-gc"

/**
 * Keeps the inspector of Node.js shut, which the signal SIGUSR1 opens on a port of the loopback: a reader of documents that was taken
 * over could otherwise run anything in the service.
 */
const noInspector = "--disable-sigusr1"

/** The same, for as long as the process runs without that flag: a signal with a listener opens nothing. */
export const ignoreInspectorSignal = (): void => {
  if (process.platform !== "win32") process.on("SIGUSR1", () => undefined)
}

/** The program of this process, as far as it decides on settings of memory. */
interface Program {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly flags: ReadonlyArray<string>
}

/** The same program with the settings of memory that it lacks; undefined if it lacks none. Settings of the operator stay. */
export const withMemorySettings = (
  { environment, flags }: Program,
  memory = availableMB
): Program | undefined => {
  const isSmall = memory < small
  if (Object.keys(allocator).every((name) => environment[name] !== undefined)) return undefined
  const given = `${environment.NODE_OPTIONS ?? ""} ${flags.join(" ")}`
  return {
    environment: { ...allocator, ...defined(environment) },
    flags: [
      ...flags,
      ...(given.includes(youngGeneration)
        ? []
        : [`${youngGeneration}=${isSmall ? smallYoungGenerationMiB : youngGenerationMiB}`]),
      ...(isSmall || given.includes(oldGeneration) ? [] : [`${oldGeneration}=${growth}`]),
      ...(flags.some((flag) => flag.endsWith(helpers)) ? [] : [`--no-${helpers}`]),
      ...[exposesCollection, noInspector].filter((flag) => !flags.includes(flag))
    ]
  }
}

/**
 * Starts the program of this process once more, as the same process, with the settings of memory of the service: programs read
 * them when they start. Takes 40 ms. Does nothing on systems that cannot replace a program (Windows), or that forbid it.
 */
export const restartWithMemorySettings = (): void => {
  const isForbidden = process.permission !== undefined || process.channel !== undefined
  if (process.execve === undefined || process.platform === "win32" || isForbidden) return
  const program = withMemorySettings({ environment: process.env, flags: process.execArgv })
  if (program === undefined) return
  process.execve(
    process.execPath,
    [process.execPath, ...program.flags, ...process.argv.slice(1)],
    program.environment
  )
}

/**
 * Collects what the start of the service left, 70 MiB, which takes up to 250 ms once: V8 keeps it until it has had nothing to do for
 * some seconds, too late for the first documents. Does nothing in a process that was not started again with the settings of
 * memory.
 */
export const collectWhatStartLeft = Effect.sync(() => {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })
})

/** MB that a service needs to read text documents; the embedded database takes most of it while it starts. */
const needed = { embedded: 1280, postgres: 512 }

/** Warns where there is less memory than the service needs, before it is used. */
export const warnOfLittleMemory = (isEmbedded: boolean): Effect.Effect<void> => {
  const [database, least, instead] = isEmbedded
    ? [
        "the embedded database",
        needed.embedded,
        `, or set DATABASE_URL: then ${needed.postgres} MB are enough`
      ]
    : ["PostgreSQL", needed.postgres, ""]
  if (availableMB >= least) return Effect.void
  return Effect.logWarning(
    `docflow with ${database} needs ${least} MB of memory and has ${availableMB} MB: the system may end it. Give it more${instead}`
  )
}

/** The cache folder of the user whose environment this is; undefined for a user without a home. */
export const cacheFolder = (environment: {
  readonly [name: string]: string | undefined
}): string | undefined => {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = environment
  const known = [XDG_CACHE_HOME, LOCALAPPDATA, HOME === undefined ? undefined : join(HOME, ".cache")]
  return known.find((folder) => folder !== undefined && isAbsolute(folder))
}

/**
 * Keeps compiled code between starts, in the user's cache folder unless `NODE_COMPILE_CACHE` names another: half of a start is
 * compiling. The common temporary folder is not used, because other users could leave code there. This concerns modules that
 * are imported after this call; where the folder cannot be written, nothing is kept.
 */
export const keepCompiledCode = (): void => {
  const folder = cacheFolder(process.env)
  if (folder !== undefined) enableCompileCache(join(folder, "docflow", "compiled"))
}

/** Writes the compiled code of the start to disk. Node.js does so only when a process exits, and a service may be killed instead. */
export const keepCodeOfStart = Effect.sync(() => flushCompileCache())

/** The setting of V8 for how often a function has been called when the thorough, slow compiler takes it; 3,000 unless it is set. */
const setting = "--invocation-count-for-turbofan"
const calls = 20_000

/**
 * Lets V8 compile thoroughly only what runs very often. Otherwise the service spends up to 2 ms of CPU on that for each of its first
 * thousands of documents, most of it for functions that a document calls once or twice. Loops that run long are compiled as early
 * as before, and a setting of the operator stays.
 */
export const compileThoroughlyLate = (): void => {
  const isSet = process.execArgv.some((flag) => flag.startsWith(setting))
  if (!isSet) setFlagsFromString(`${setting}=${calls}`)
}
