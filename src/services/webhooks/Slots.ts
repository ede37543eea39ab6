/** How many attempts may be under way at once: in this process, to one receiver, and for one organization. */
export interface Limits {
  readonly overall: number
  readonly perHost: number
  readonly perOrganization: number
}

/** What there is room for at the moment. */
export interface Room {
  readonly free: number
  readonly perHost: number
  readonly perOrganization: number
  readonly inFlight: {
    readonly hosts: { readonly [host: string]: number }
    readonly organizations: { readonly [organizationId: string]: number }
  }
}

interface Occupant {
  readonly id: string
  readonly lease: string
  readonly host: string | null
  readonly organization_id: string
}

/** Counts the attempts under way, so that a receiver that hangs fills its own places and nobody else's. */
export class Slots {
  readonly #limits: Limits
  readonly #taken = new Set<Occupant>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get room(): Room {
    const { overall, perHost, perOrganization } = this.#limits
    const taken = [...this.#taken]
    return {
      free: Math.max(0, overall - taken.length),
      perHost,
      perOrganization,
      inFlight: {
        hosts: tally(taken.map(({ host }) => host ?? "")),
        organizations: tally(taken.map(({ organization_id }) => organization_id))
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
