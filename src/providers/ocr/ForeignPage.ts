import { Effect } from "effect"
import { dataFolder } from "./LanguageData.ts"
import { allOf, bothEngines, chooseLanguage, type Reading, textsOf, type Words } from "./LineReadings.ts"
import { mergeReadings } from "./MergeReadings.ts"
import {
  blankLines,
  isForeign,
  joinForeign,
  type Script,
  scripts,
  shareInScript,
  showsScript,
  tellingLines
} from "./PageScript.ts"

const hasAmount = (words: Words): boolean => words.some(({ text }) => /\d[.,]\d{2}$/u.test(text))

interface Tried {
  readonly script: Script
  /** The language in which the script was tried. */
  readonly language: string
  /** The share of letters in the script. */
  readonly share: number
}

const mayRead = (language: string, languages: ReadonlyArray<string> | undefined): boolean =>
  (languages?.includes(language) ?? true) && dataFolder(language) !== undefined

const widest = 4

/** The widest of some lines. */
const widestOf = ({ boxes }: Reading["lines"], some: ReadonlyArray<number>): ReadonlyArray<number> =>
  some.toSorted((a, b) => (boxes[b]?.w ?? 0) - (boxes[a]?.w ?? 0)).slice(0, widest)

/** The script of a page that PP-OCR doubts too, or of which it reads many lines not at all. */
export const findScript = Effect.fnUntraced(function* (
  { languages, lines, tesseract }: Reading,
  paddle: ReadonlyArray<Words>
) {
  const blank = blankLines(paddle, lines.boxes)
  if (!isForeign(paddle) && blank.length === 0) return undefined
  const telling = blank.length > 0 ? widestOf(lines, blank) : tellingLines(paddle)
  const tried = yield* Effect.forEach(scripts, (script) => {
    const language = script.languages.find((name) => mayRead(name, languages))
    return language === undefined
      ? Effect.succeed([])
      : Effect.map(tesseract(telling, language), (readings): ReadonlyArray<Tried> => {
          return [{ script, language, share: shareInScript([...readings.values()].flat(), script) }]
        })
  })
  return tried
    .flat()
    .filter(({ share }) => showsScript(share))
    .toSorted((a, b) => b.share - a.share)[0]
})

/** Reads a page in another script than Latin, in the language of its words. */
export const readForeign = Effect.fnUntraced(function* (
  { languages, lines, tesseract }: Reading,
  paddle: ReadonlyArray<Words>,
  { language: first, script }: Tried
) {
  const all = allOf(lines)
  const others = script.languages.filter((name) => name !== first && (languages?.includes(name) ?? true))
  const { language, ...rest } = chooseLanguage(textsOf((yield* tesseract(all, first)).values()), [
    first,
    ...others
  ])
  const readings = yield* tesseract(all, language)
  // The data of other scripts lacks signs of currencies.
  const amounts = mayRead("eng", languages) ? all.filter((line) => hasAmount(paddle[line] ?? [])) : []
  const signs = yield* tesseract(amounts, "eng")
  const words = paddle.flatMap((read, line) =>
    joinForeign(mergeReadings(read, signs.get(line) ?? []), readings.get(line) ?? [], script)
  )
  return {
    words,
    engine: bothEngines,
    languages: [language],
    mayBeTurned: script.isLikeTurned === true,
    ...rest
  }
})
