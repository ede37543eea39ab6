/** The part of a paragraph's end that is examined: it may have no spaces at all. */
const longestWord = 80
/** The part of a word at the end of a line, and its hyphen; a soft hyphen is not part of the word. */
const parted = /^(.*\p{L})([-\u2010\u00ad])$/u
const firstWord = /^\S+/u
const lettersAhead = /^[\p{L}\p{M}]+/u

/** Before one of these, the hyphen replaces an omitted part of a word: `Ein- und Ausgang`, `pre- and post-war`. */
const suspending = new Set(["und", "oder", "bis", "sowie", "and", "or", "et", "ou"])
/** After one of these, the hyphen belongs to the word: `state-of-the-art`, `e-mail`, `self-made`. */
const keeping = /(?:^|[^\p{L}])(?:\p{L}|self)$|-(?:of|the|to|by|in|on|and|or|at|for|up|de|du|la|le|en|sur)$/iu
/** URLs and part numbers, in which a hyphen never comes from typesetting. */
const address = /[\d/@_.\\:]/u

/** The words of some lines, in lower case, those with hyphens whole. */
const wordsOf = (lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(
    lines.flatMap(
      (line) => line.toLowerCase().match(/\p{L}[\p{L}\p{M}]*(?:[-\u2010]\p{L}[\p{L}\p{M}]*)*/gu) ?? []
    )
  )

/**
 * Joins a line to the text before it, as a paragraph: with a space, or without one if a word was hyphenated at the end
 * of the line. Other lines with the word show whether the hyphen belongs to it; otherwise, usage decides.
 */
export const lineJoiner = (lines: ReadonlyArray<string>): ((before: string, line: string) => string) => {
  let words: ReadonlySet<string> | undefined
  const isWord = (word: string): boolean => (words ??= wordsOf(lines)).has(word.toLowerCase())

  const keepsHyphen = (head: string, line: string): boolean => {
    if (address.test(head) || !/^\p{Ll}/u.test(line)) return true
    const tail = lettersAhead.exec(line)?.[0] ?? ""
    const letters = /[\p{L}\p{M}]+$/u.exec(head)?.[0] ?? ""
    if (isWord(letters + tail)) return false
    return keeping.test(head) || isWord(`${letters}-${tail}`)
  }

  return (before, line) => {
    const end = before.slice(-longestWord)
    const [, head, hyphen] = parted.exec(end.slice(end.lastIndexOf(" ") + 1)) ?? []
    if (head === undefined || !/^[\p{L}\p{N}]/u.test(line)) return `${before} ${line}`
    if (hyphen === "\u00ad") return before.slice(0, -1) + line
    if (suspending.has(firstWord.exec(line)?.[0] ?? "")) return `${before} ${line}`
    return (keepsHyphen(head, line) ? before : before.slice(0, -1)) + line
  }
}
