import type { LlmRequest } from "./Llm.ts"

/** How many letters of plain ASCII words are taken for one token; English has four and more. */
const lettersPerToken = 3
/** Letters of scripts that many tokenizers know badly may take several tokens. */
const tokensPerWideLetter = 1.5
const firstWideLetter = 0x0800

/**
 * How many tokens a string has at most, roughly: no tokenizer is asked, for every model has its own. Plain words count a
 * token for every three letters, every digit and sign counts one (many tokenizers take digits one by one), letters beyond
 * ASCII count one, and those from Devanagari to Chinese one and a half. English text has about a third fewer tokens than
 * this says.
 */
export const estimateTokens = (text: string): number => {
  let letters = 0
  let others = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const isPlain = code === 32 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    if (isPlain) letters++
    else others += code >= firstWideLetter ? tokensPerWideLetter : 1
  }
  return Math.ceil(letters / lettersPerToken + others)
}

/** What a provider puts around every request. */
const framing = 64
/** What a picture counts at most. */
const pictureTokens = 3300

/** How many tokens a request has at most, roughly, without its answer. */
export const requestTokens = ({
  content,
  instructions,
  schema
}: Pick<LlmRequest, "content" | "instructions" | "schema">): number =>
  content.reduce(
    (sum, part) => sum + (part.type === "text" ? estimateTokens(part.text) : pictureTokens),
    framing +
      estimateTokens(instructions) +
      (schema === undefined ? 0 : estimateTokens(JSON.stringify(schema.schema)))
  )
