import { plain } from "../page/Fold.ts"

/** Names and abbreviations of the months, without accents: English, German, French, Dutch, Spanish, Italian, Portuguese, Polish, Swedish, Danish. */
const names: ReadonlyArray<string> = [
  "january jan januar janner janvier janv januari enero ene gennaio gen janeiro stycznia",
  "february feb februar febr fevrier fevr fev februari febrero febbraio fevereiro lutego",
  "march mar marz mrz maerz mars maart mrt marzo marco marca",
  "april apr avril avr abril abr aprile kwietnia",
  "may mai mei mayo maggio mag maio maj maja",
  "june jun juni juin junio giugno giu junho czerwca",
  "july jul juli juillet juil julio luglio lug julho lipca",
  "august aug aout augustus agosto ago augusti sierpnia",
  "september sep sept septembre septiembre setiembre settembre set setembro wrzesnia",
  "october oct oktober okt octobre octubre ottobre ott outubro out oktobra pazdziernika",
  "november nov novembre noviembre novembro listopada",
  "december dec dezember dez decembre diciembre dic dicembre dezembro desember grudnia"
]

const numbers = new Map(names.flatMap((month, i) => month.split(" ").map((name) => [name, i + 1] as const)))

/** The number of a month (1–12) by its name or abbreviation in a common European language. */
export const monthNumber = (name: string): number | undefined => numbers.get(plain(name).replace(/\.$/u, ""))
