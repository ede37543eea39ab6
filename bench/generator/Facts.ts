import type { Chance } from "./Chance.ts"
import { type Tongue, wordOf } from "./Tongues.ts"

/** One line of an invoice or a receipt. */
export interface Item {
  readonly text: string
  readonly quantity: number
  readonly price: number
  readonly amount: number
  readonly rate: number
}

/** A company or a person. */
export interface Party {
  readonly name: string
  readonly street: string
  readonly town: string
  readonly phone: string
  readonly mail: string
  readonly taxId: string
}

/** What a generated document says. */
export interface Facts {
  readonly seller: Party
  readonly buyer: Party
  readonly number: string
  readonly date: string
  readonly due: string
  readonly items: ReadonlyArray<Item>
  readonly subtotal: number
  /** Rate, net amount and tax of each rate. */
  readonly taxes: ReadonlyArray<readonly [number, number, number]>
  readonly tax: number
  readonly total: number
}

const syllables: Readonly<Record<string, ReadonlyArray<string>>> = {
  latin: "ba ren tor mi sal ve lin gar do na ke ster hol bran wi lu mar pe ri dan ost fal ko ber".split(" "),
  el: "κα ρα μι νος πα δο που λος στα θε με λι".split(" "),
  ru: "ка рин во ло ста ни мир дол бор се вер лан".split(" "),
  ja: "山 田 川 中 東 北 松 本 石 野 高 木 森 青".split(" "),
  zh: "华 信 达 远 盛 金 海 天 安 明 东 科 泰 恒".split(" "),
  ko: "한 성 대 동 신 우 진 세 미 래 정 보".split(" "),
  ar: "نور سلام بحر قمر نخل ريف مدى".split(" "),
  he: "שחר גלים אורן כרמל נגב דקל".split(" "),
  th: "สยาม ทอง เจริญ มิตร ไทย รุ่ง".split(" ")
}

const latin = { tag: "latin" }

const isDense = (tag: string): boolean => ["ja", "zh", "ko", "th", "ar", "he"].includes(tag)

/** A word that no dictionary has. */
export const inventedWord = (chance: Chance, { tag }: Pick<Tongue, "tag">): string => {
  const parts = syllables[tag] ?? syllables["latin"] ?? []
  const text = Array.from({ length: chance.whole(isDense(tag) && tag !== "ko" ? 1 : 2, 3) }, () =>
    chance.pick(parts)
  ).join("")
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}

const companyOf = (chance: Chance, tongue: Tongue): string => {
  const form = wordOf(chance, tongue, "legalForms", "Ltd")
  const trade = chance.odds(0.4) ? ` ${wordOf(chance, tongue, "shops", "Services")}` : ""
  const first = inventedWord(chance, tongue)
  const second = chance.odds(0.5) ? ` ${chance.odds(0.2) ? "& " : ""}${inventedWord(chance, tongue)}` : ""
  const ends = chance.odds(0.7) ? ` ${form}` : ""
  return `${first}${second}${trade.charAt(0)}${trade.slice(1, 2).toLocaleUpperCase()}${trade.slice(2)}${ends}`
}

/** The name of a person. */
export const personOf = (chance: Chance, tongue: Tongue): string =>
  `${inventedWord(chance, tongue)} ${inventedWord(chance, tongue)}`

/** A party with an address and numbers. */
export const partyOf = (chance: Chance, tongue: Tongue, share: number): Party => {
  const name = chance.odds(share) ? companyOf(chance, tongue) : personOf(chance, tongue)
  const street = wordOf(chance, tongue, "streets", "Street")
  const domain = name
    .toLowerCase()
    .replace(/[^a-z]/gu, "")
    .slice(0, 14)
  return {
    name,
    street: `${inventedWord(chance, tongue)} ${street} ${chance.whole(1, 180)}`,
    town: `${chance.digits(chance.pick([4, 5]))} ${inventedWord(chance, tongue)}`,
    phone: `+${chance.digits(2)} ${chance.digits(2)} ${chance.digits(7)}`,
    mail: `info@${domain.length < 4 || chance.odds(0.5) ? inventedWord(chance, latin).toLowerCase() : domain}.${tongue.country.toLowerCase()}`,
    taxId: `${tongue.country}${chance.digits(9)}`
  }
}

const cents = (value: number): number => Math.round(value * 100) / 100
const day = (time: number): string => new Date(time).toISOString().slice(0, 10)
/** The documents are of the three years before this day. */
const latest = Date.UTC(2026, 9, 1)

/** The number of an invoice of this day. */
export const numberOf = (chance: Chance, date: string): string => {
  const year = date.slice(0, 4)
  const n = chance.digits(chance.whole(3, 6))
  const prefix = chance.pick(["INV", "RE", "F", "FA", "SI", "A", "KD", "R", "N"])
  return chance.pick([
    `${prefix}-${n}`,
    `${year}-${n}`,
    `${year}${n}`,
    `${n}${chance.digits(3)}`,
    `${prefix}${year}/${n}`,
    `${n}/${year}`,
    `${prefix} ${year}/${chance.digits(3)}`,
    `${prefix}${n}`,
    `${chance.digits(2)}-${n}`
  ])
}

const itemOf = (chance: Chance, tongue: Tongue, whole: boolean, rates: ReadonlyArray<number>): Item => {
  const price = whole ? chance.whole(1, 400) * 50 : chance.whole(80, 90_000) / 100
  const quantity = chance.odds(0.75) ? chance.whole(1, 20) : chance.whole(1, 80) / 4
  const text = Array.from({ length: chance.whole(1, 4) }, () => inventedWord(chance, tongue)).join(" ")
  return {
    text: chance.odds(0.2) ? `${text} ${chance.digits(3)}` : text,
    quantity,
    price,
    amount: whole ? Math.round(quantity * price) : cents(quantity * price),
    rate: chance.pick(rates)
  }
}

/** What a document says, in the language and currency of its country. */
export const factsOf = (
  chance: Chance,
  tongue: Tongue,
  { most, rates, taxFree }: { readonly most: number; readonly rates: number; readonly taxFree: boolean }
): Facts => {
  const time = latest - chance.whole(0, 1000) * 86_400_000
  const date = day(time)
  const whole = ["JPY", "KRW", "HUF"].includes(tongue.currency)
  const used = taxFree ? [0] : chance.some(tongue.rates, 1, rates)
  const items = Array.from({ length: chance.whole(1, most) }, () => itemOf(chance, tongue, whole, used))
  const round = whole ? Math.round : cents
  const taxes = [...Map.groupBy(items, ({ rate }) => rate)].map(([rate, own]) => {
    const net = round(own.reduce((sum, { amount }) => sum + amount, 0))
    return [rate, net, round((net * rate) / 100)] as const
  })
  const subtotal = round(taxes.reduce((sum, [, net]) => sum + net, 0))
  const tax = round(taxes.reduce((sum, [, , own]) => sum + own, 0))
  return {
    seller: partyOf(chance, tongue, 0.85),
    buyer: partyOf(chance, tongue, 0.65),
    number: numberOf(chance, date),
    date,
    due: day(time + chance.pick([7, 10, 14, 14, 21, 30, 30, 30, 45, 60]) * 86_400_000),
    items,
    subtotal,
    taxes,
    tax,
    total: round(subtotal + tax)
  }
}
