import { Clock, Context, Duration, Effect, Result } from "effect"
import { hash } from "node:crypto"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import type { BoundedTask } from "./StepAttempts.ts"
import type { Scope } from "../../../dsl/expression/Scope.ts"

/** Stores outputs of steps with a `cache`. */
export interface StepCacheStore {
  /** The JSON of an output, if it is not too old. */
  readonly find: (key: string, now: number) => string | undefined
  readonly keep: (key: string, output: string, until: number) => void
  /** Forgets everything, because erased data must not be found here. */
  readonly clear: () => void
}

const mostCharacters = 32 * 1024 * 1024

/** Keeps the most recently used outputs in memory, up to a number of characters of JSON. */
export const memoryStore = (limit = mostCharacters): StepCacheStore => {
  const kept = new Map<string, { readonly output: string; readonly until: number }>()
  let size = 0
  const remove = (key: string): void => {
    size -= kept.get(key)?.output.length ?? 0
    kept.delete(key)
  }
  return {
    find: (key, now) => {
      const found = kept.get(key)
      remove(key)
      if (found === undefined || found.until < now) return undefined
      kept.set(key, found)
      size += found.output.length
      return found.output
    },
    keep: (key, output, until) => {
      remove(key)
      if (output.length > limit / 4) return
      kept.set(key, { output, until })
      size += output.length
      for (const oldest of kept.keys()) {
        if (size <= limit) break
        remove(oldest)
      }
    },
    clear: () => {
      kept.clear()
      size = 0
    }
  }
}

/**
 * The cache of this process. The key of an output is what it was made from: the kind of step and its whole
 * configuration, with documents by the hash of their bytes. Each organization has its own outputs: otherwise, a fast
 * response would reveal that another one has sent the same document, and corrections of one organization would change
 * the values of another.
 */
export const StepCache = Context.Reference<StepCacheStore>("docflow/engine/StepCache", {
  defaultValue: () => memoryStore()
})

/** Whose outputs they are. */
interface CacheOwner {
  readonly organizationId: string | null
  readonly environment: "live" | "test"
}

/** Runs a step with a `cache` through it; other steps just run. */
export const cached = <E>(
  step: BoundedTask,
  scope: Scope,
  { environment, organizationId }: CacheOwner,
  run: Effect.Effect<unknown, E>
): Effect.Effect<unknown, E> => {
  const { cache } = step
  if (cache === undefined) return run
  const config = step.config(scope)
  if (Result.isFailure(config)) return run
  const made = [organizationId, environment, step.uses, config.success]
  const key = hash("sha256", canonicalJson(made))
  return Effect.gen(function* () {
    const store = yield* StepCache
    const found = store.find(key, yield* Clock.currentTimeMillis)
    if (found !== undefined) {
      const output: unknown = JSON.parse(found)
      return output
    }
    const output = yield* run
    const now = yield* Clock.currentTimeMillis
    store.keep(key, JSON.stringify(output ?? null), now + Duration.toMillis(cache))
    return output
  })
}
