/**
 * The maximum number of concurrent attempts: in this process, to one receiver, for one organization, and for one
 * organization to one receiver. `reserve` are further slots for organizations with few attempts under way.
 */
export interface Limits {
  readonly overall: number
  readonly reserve: number
  readonly perHost: number
  readonly perOrganization: number
  readonly perPair: number
}

/** The slots that are free now. */
export interface Room {
  readonly free: number
  readonly reserve: number
  readonly perHost: number
  readonly perOrganization: number
  readonly perPair: number
  readonly inFlight: {
    readonly hosts: { readonly [host: string]: number }
    readonly organizations: { readonly [organizationId: string]: number }
    /** By the organization's id, a space and the host. */
    readonly pairs: { readonly [pair: string]: number }
  }
}

interface Occupant {
  readonly id: string
  readonly lease: string
  readonly host: string
  readonly organization_id: string
}

/**
 * Counts the attempts under way, so that a hanging receiver fills only its own slots, and only those of its
 * organization if several have receivers on the same host.
 */
export class Slots {
  readonly #limits: Limits
  readonly #taken = new Set<Occupant>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get room(): Room {
    const { overall, reserve, ...limits } = this.#limits
    const taken = [...this.#taken]
    return {
      free: Math.max(0, overall - taken.length),
      reserve: Math.max(0, Math.min(reserve, overall + reserve - taken.length)),
      ...limits,
      inFlight: {
        hosts: tally(taken.map(({ host }) => host)),
        organizations: tally(taken.map(({ organization_id }) => organization_id)),
        pairs: tally(taken.map(({ host, organization_id }) => `${organization_id} ${host}`))
      }
    }
  }

  take(occupant: Occupant): void {
    this.#taken.add(occupant)
  }

  release(occupant: Occupant): void {
    this.#taken.delete(occupant)
  }
}

const tally = (names: ReadonlyArray<string>): Record<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}
