import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { knownLanguages, nameOfLanguage } from "./PageLanguage.ts"
import { scripts } from "./PageScript.ts"

const require = createRequire(import.meta.url)

/** The npm package with Tesseract's data of a language. */
export const languagePackage = (language: string): string => `@tesseract.js-data/${language}`

/** The folder with a language's data (the small, newer network); undefined if its package is not installed. */
export const dataFolder = (language: string): string | undefined => {
  try {
    const found = dirname(require.resolve(`${languagePackage(language)}/package.json`))
    const folder = join(found, "4.0.0_best_int")
    return existsSync(join(folder, `${language}.traineddata.gz`)) ? folder : undefined
  } catch {
    return undefined
  }
}

/** The warning about a page whose language has no data. */
export const missingLanguage = (language: string): string =>
  `The page seems to be in ${nameOfLanguage(language)}, but recognition has no data for it, so accents and special letters may be wrong: npm install ${languagePackage(language)}.`

const has = (language: string): boolean => dataFolder(language) !== undefined

/** Languages that are found by their script, not by their words. */
const byScript: ReadonlyArray<string> = ["jpn", ...scripts.flatMap(({ languages }) => languages.slice(0, 1))]

/** The languages that docflow can detect, and whether their data is installed. */
export const installedData = () => {
  const all = [...new Set([...knownLanguages, ...byScript])]
  return { installed: all.filter(has), missing: all.filter((language) => !has(language)) }
}
