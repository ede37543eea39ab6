/** A lease that is used up sooner doubles, in milliseconds: then fewer requests wait for the database. */
const soon = 500
/** After one that lasts longer, numbers are no longer taken in advance, in milliseconds. */
const late = 2_000
/** A lease that is not used for this long ends, in milliseconds. */
const idle = 1_000
/** The maximum number of requests of a lease. */
const mostLeased = 256
/** A lease has at most this part of the requests that are left in the window. */
const partOfRest = 1 / 100

/** Numbers that follow each other. */
interface Range {
  next: number
  left: number
}

/** Whether numbers of a bucket are taken in advance at all: of one with a low limit, such as that of an address, they never are. */
export const isLeased = (limit: number): boolean => limit * partOfRest >= 1

interface Lease {
  /** The begin of its window, in Unix seconds. */
  readonly start: number
  /** The numbers that are left, the next one first. */
  ranges: Array<Range>
  /** The highest number that the database returned. */
  highest: number
  size: number
  grantedAt: number
  usedAt: number
  isAsking: boolean
}

/** A part of a window that was leased and not used. */
export interface Unused {
  readonly bucket: string
  readonly start: number
  readonly count: number
}

/**
 * Numbers of requests that this process has taken from the database in advance, for buckets with many requests. They count
 * as requests until they are returned, so that all processes together never allow more than the limit; what a process has
 * not used is missing for the others, and therefore a small part of what is left.
 */
export class RateLeases {
  readonly #leases = new Map<string, Lease>()

  /** The number of a request in its window, if there is a lease; `now` is in milliseconds. */
  take(bucket: string, start: number, now: number): number | undefined {
    const lease = this.#find(bucket, start)
    const [range] = lease?.ranges ?? []
    if (lease === undefined || range === undefined) return undefined
    lease.usedAt = now
    range.left -= 1
    if (range.left === 0) lease.ranges.shift()
    return range.next++
  }

  /** Whether a lease will soon be used up, and nobody asks for more. */
  isLow(bucket: string, start: number): boolean {
    const lease = this.#find(bucket, start)
    return lease !== undefined && !lease.isAsking && leftOf(lease) <= lease.size / 4
  }

  /** How many numbers to take in advance. If it is not 0, `grant` or `cancel` must follow. */
  ask(bucket: string, start: number, limit: number, now: number): number {
    const lease = this.#find(bucket, start)
    if (lease === undefined || lease.isAsking) return 0
    const lasted = now - lease.grantedAt
    if (lasted < soon) lease.size = Math.min(mostLeased, Math.max(1, lease.size * 2))
    else if (lasted > late) lease.size = 0
    const wanted = Math.max(0, Math.min(lease.size, Math.floor((limit - lease.highest) * partOfRest)))
    lease.isAsking = wanted > 0
    return wanted
  }

  /** The database has counted up to `highest`, of which the last `count` are for further requests. */
  grant(bucket: string, start: number, highest: number, count: number, now: number): void {
    const known = this.#leases.get(bucket)
    if (known !== undefined && known.start > start) return
    const lease: Lease =
      known?.start === start
        ? known
        : { start, ranges: [], highest: 0, size: 0, grantedAt: now, usedAt: now, isAsking: false }
    this.#leases.set(bucket, lease)
    lease.highest = Math.max(lease.highest, highest)
    if (count === 0) {
      if (lease.size === 0) lease.grantedAt = now
      return
    }
    lease.isAsking = false
    lease.grantedAt = now
    lease.ranges.push({ next: highest - count + 1, left: count })
  }

  /** The database did not answer. */
  cancel(bucket: string, start: number): void {
    const lease = this.#find(bucket, start)
    if (lease !== undefined) lease.isAsking = false
  }

  /** How many numbers of a window are leased here and not used. */
  unused(bucket: string, start: number): number {
    const lease = this.#find(bucket, start)
    return lease === undefined ? 0 : leftOf(lease)
  }

  /** Ends the leases that are not used, and forgets those of windows before `start`; returns what is to be given back. */
  expire(start: number, now: number): ReadonlyArray<Unused> {
    const unused: Array<Unused> = []
    for (const [bucket, lease] of this.#leases) {
      const count = leftOf(lease)
      if (lease.start < start) this.#leases.delete(bucket)
      else if (count > 0 && now - lease.usedAt > idle) {
        unused.push({ bucket, start: lease.start, count })
        lease.ranges = []
      }
    }
    return unused
  }

  #find(bucket: string, start: number): Lease | undefined {
    const lease = this.#leases.get(bucket)
    return lease?.start === start ? lease : undefined
  }
}

const leftOf = ({ ranges }: Lease): number => ranges.reduce((sum, { left }) => sum + left, 0)
