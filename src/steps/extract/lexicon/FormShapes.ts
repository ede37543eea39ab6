/** How a form looks, with letters and digits that recognition takes for each other the same. */
const shapeOf = (form: string): string =>
  form
    .toLowerCase()
    .replace(/[\s.]/gu, "")
    .replace(/[1il|]/gu, "l")
    .replaceAll("0", "o")
    .replaceAll("5", "s")
    .replaceAll("8", "b")

/** Forms of two letters look like too much else. */
const fewestLetters = 3

/** Finds the legal form whose letters look like those of a word. */
export const formOfShape = (forms: ReadonlyArray<string>): ((word: string) => string | undefined) => {
  const shapes = new Map(
    forms.map((form) => [shapeOf(form), form] as const).filter(([shape]) => shape.length >= fewestLetters)
  )
  return (word) => shapes.get(shapeOf(word))
}
