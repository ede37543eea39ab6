/** A string with `${{ … }}` in it, taken apart. Offsets count from the first character of the text. */
export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "expression"; readonly source: string; readonly offset: number }
  | { readonly kind: "unclosed"; readonly offset: number }

/** Whether a string has an expression in it. */
export const hasExpression = (text: string): boolean => text.includes("${{")

/** Takes a string apart into literal text and expressions. */
export const splitText = (text: string): ReadonlyArray<TextPart> => {
  const parts: Array<TextPart> = []
  let at = 0
  while (at < text.length) {
    const open = text.indexOf("${{", at)
    if (open === -1) break
    if (open > at) parts.push({ kind: "text", text: text.slice(at, open) })
    const close = closing(text, open + 3)
    if (close === undefined) return [...parts, { kind: "unclosed", offset: open }]
    parts.push({ kind: "expression", source: text.slice(open + 3, close), offset: open + 3 })
    at = close + 2
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) })
  return parts
}

/** Finds the `}}` that ends an expression: not one in a string, and not the end of two nested maps. */
const closing = (text: string, from: number): number | undefined => {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"' || character === "'") at = endOfText(text, at)
    else if (character === "{") depth++
    else if (character === "}" && depth > 0) depth--
    else if (character === "}" && text[at + 1] === "}") return at
  }
  return undefined
}

const endOfText = (text: string, open: number): number => {
  const quote = text[open]
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === quote) return at
  }
  return text.length
}
