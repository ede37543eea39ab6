/**
 * Whether a value is in the text, decided without docflow's own readers: the value is printed in every usual form and
 * looked for as whole words.
 */

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\u2010-\u2015\u2212]/gu, "-")
    .replace(/[\u2018\u2019\u00B4`]/gu, "'")
    .replace(/[\u201C-\u201F\u00AB\u00BB]/gu, '"')
    .replace(/\s+/gu, " ")
    .toLowerCase()

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`)

const asWords = (form: string): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?<!\d[.,])${plain(form)
      .trim()
      .split(" ")
      .map(escaped)
      .join(String.raw`\s*`)}(?![\p{L}\p{N}])(?![.,]\d)`,
    "u"
  )

const grouped = (digits: string, separator: string): string =>
  digits.replace(/\B(?=(?:\d{3})+$)/gu, separator)

/** A number as it may be printed, without a sign. */
export const numberForms = (value: number): ReadonlyArray<string> => {
  const decimals = [...new Set([0, 1, 2, 3, 4])].filter(
    (count) => Math.abs(Number(value.toFixed(count)) - value) < 1e-9
  )
  const forms = decimals.flatMap((count) => {
    const [whole = "", fraction] = Math.abs(value).toFixed(count).split(".")
    return [
      ["", "."],
      ["", ","],
      [",", "."],
      [".", ","],
      [" ", ","],
      [" ", "."],
      ["'", "."]
    ].map(([group = "", point = ""]) =>
      fraction === undefined ? grouped(whole, group) : `${grouped(whole, group)}${point}${fraction}`
    )
  })
  return [...new Set(forms)]
}

const locales = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da"]

/** A day (YYYY-MM-DD) as it may be printed. */
export const dateForms = (iso: string): ReadonlyArray<string> => {
  const [year = "", month = "", day = ""] = iso.split("-")
  const days = [...new Set([day, String(Number(day))])]
  const months = [...new Set([month, String(Number(month))])]
  const years = [year, year.slice(2)]
  const forms = [`${year}年${Number(month)}月${Number(day)}日`]
  for (const sign of ["/", ".", "-", ". ", " / "]) {
    for (const d of days) {
      for (const m of months) {
        forms.push(`${year}${sign}${m}${sign}${d}`)
        for (const y of years) forms.push(`${d}${sign}${m}${sign}${y}`, `${m}${sign}${d}${sign}${y}`)
      }
    }
  }
  const date = new Date(`${iso}T00:00:00Z`)
  const names = locales.flatMap((locale) =>
    (["long", "short"] as const).map((style) =>
      new Intl.DateTimeFormat(locale, { month: style, day: "numeric", timeZone: "UTC" })
        .formatToParts(date)
        .flatMap(({ type, value }) => (type === "month" ? [value.replace(/\.$/u, "")] : []))
        .join("")
    )
  )
  for (const name of new Set(names)) {
    for (const d of days) {
      for (const y of years) {
        forms.push(`${d}-${name}-${y}`, `${d} de ${name} de ${y}`, `${name}. ${d}, ${y}`)
        forms.push(`${d} ${name}. ${y}`, `${name}-${d}-${y}`)
        for (const suffix of ["", ".", "th", "st", "nd", "rd"]) {
          forms.push(
            `${d}${suffix} ${name} ${y}`,
            `${name} ${d}${suffix}, ${y}`,
            `${name} ${d}${suffix} ${y}`
          )
        }
      }
    }
  }
  return forms
}

const isDay = /^\d{4}-\d{2}-\d{2}$/u

/** Whether a value is in the text. */
export const stands = (text: string, value: string | number): boolean => {
  const forms =
    typeof value === "number" ? numberForms(value) : isDay.test(value) ? dateForms(value) : [value]
  const where = plain(text)
  return forms.some((form) => asWords(form).test(where))
}
