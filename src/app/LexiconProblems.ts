import { basename } from "node:path"
import { Result, Schema } from "effect"
import type { Problem } from "../../dsl/source/Problem.ts"
import { addSchemaProblems } from "../../dsl/source/SchemaProblems.ts"
import { toJson } from "../../dsl/source/Source.ts"
import { parseYaml } from "../../dsl/source/Yaml.ts"
import { CountryFile } from "../extraction/lexicon/CountryFile.ts"
import { LexiconFile } from "../extraction/lexicon/LexiconFile.ts"
import { countryFile, languageFile, lexiconOptions } from "../extraction/lexicon/ReadLexicon.ts"

const decodeLanguage = Schema.decodeUnknownResult(LexiconFile, lexiconOptions)
const decodeCountry = Schema.decodeUnknownResult(CountryFile, lexiconOptions)

/** Whether a file belongs to a lexicon folder: its name is that of a language or a country, and no key is one of a flow or a test set. */
export const isLexiconFile = (name: string, text: string): boolean => {
  const { root } = parseYaml(text, name)
  const isOther = (key: string) => root?.kind !== "map" || root.entries.has(key)
  return (
    (languageFile.test(name) || countryFile.test(name)) && !["docflow", "tests", "steps", "id"].some(isOther)
  )
}

/** Every problem of a file of a lexicon folder. */
export const lexiconProblems = (text: string, file: string): ReadonlyArray<Problem> => {
  const { problems, root } = parseYaml(text, file)
  const decode: (content: unknown) => Result.Result<unknown, Schema.SchemaError> = countryFile.test(
    basename(file)
  )
    ? decodeCountry
    : decodeLanguage
  const decoded = root === undefined ? undefined : decode(toJson(root))
  if (root !== undefined && decoded !== undefined && Result.isFailure(decoded))
    addSchemaProblems(problems, decoded.failure.issue, root, [])
  return problems.list()
}
