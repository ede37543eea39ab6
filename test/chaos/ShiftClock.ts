/**
 * Loaded into a service before its program (`--import`): each SIGUSR2 changes the clock of its machine, to 31 days ahead, then to an
 * hour behind, then to the right time.
 */
const shifts = [0, 31 * 24 * 3_600_000, -3_600_000]
let place = 0

const Machine = Date
globalThis.Date = new Proxy(Machine, {
  construct: (target, given: ReadonlyArray<unknown>, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [globalThis.Date.now()] : given, newTarget),
  get: (target, name, self) =>
    name === "now" ? () => target.now() + (shifts[place] ?? 0) : Reflect.get(target, name, self)
})
process.on("SIGUSR2", () => {
  place = (place + 1) % shifts.length
})
