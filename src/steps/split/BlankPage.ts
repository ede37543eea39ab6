import { type Page, pageText } from "../../domain/DocumentIR.ts"

const said =
  /^\W*(?:this page (?:is |has been )?(?:intentionally )?left blank|(?:this )?page intentionally (?:left )?blank|diese seite (?:ist |bleibt |wurde )?(?:absichtlich |bewusst )?(?:frei|leer)(?: gelassen| geblieben)?|page (?:laissée )?(?:intentionnellement |volontairement )?(?:laissée )?(?:en )?blanc(?:he)?|deze pagina is (?:met opzet |opzettelijk )?(?:leeg|blanco)(?: gelaten)?|(?:esta )?p[aá]gina (?:dejada )?(?:intencionadamente |intencionalmente )?en blanco)\W*$/iu

/** Specks on a scanned page are recognised as a few letters that nobody is sure of. */
const mostSpecks = 6
const speckConfidence = 0.5

const isSpecks = ({ lines, source }: Page): boolean => {
  if (source !== "ocr") return false
  const words = lines.flatMap((line) => line.words ?? [])
  const letters = (
    lines
      .map(({ text }) => text)
      .join("")
      .match(/[\p{L}\p{N}]/gu) ?? []
  ).length
  const unsure = words.every(
    ({ confidence = 1, text }) => confidence < speckConfidence || !/[\p{L}\p{N}]/u.test(text)
  )
  return letters === 0 || (letters <= mostSpecks && words.length > 0 && unsure)
}

/** Whether nothing is on a page. One that could not be read is not blank: nobody knows what is there. */
export const isBlank = (page: Page): boolean => {
  if (page.problem !== undefined) return false
  const text = pageText(page).trim()
  return text === "" || said.test(text) || isSpecks(page)
}
