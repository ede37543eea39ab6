import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import { formatPercent } from "../elements/Format.ts"
import type { Item, Level } from "./ViewerItems.ts"

/** A shape for each level, so that the colour is not needed. */
const shapes: Readonly<Record<Level, string>> = {
  missing: "○",
  doubtful: "▲",
  check: "◆",
  sure: "●",
  confirmed: "✓",
  corrected: "✎"
}

/** How sure a value is: a shape, a word and a number. */
export const levelMark = ({ confidence, level }: Pick<Item, "confidence" | "level">): ComponentChildren =>
  html`<span class=${`level level-${level}`}
    ><span class="shape" aria-hidden="true">${shapes[level]}</span> ${level}${
      level === "doubtful" || level === "check" || level === "sure" ? ` ${formatPercent(confidence)}` : null
    }</span
  >`

/** What the marks mean. */
export const legend = (): ComponentChildren =>
  html`<p class="legend quiet">
    ${(["sure", "check", "doubtful", "missing"] as const).map(
      (level) =>
        html`<span class=${`level level-${level}`}
          ><span class="shape" aria-hidden="true">${shapes[level]}</span> ${level}</span
        > `
    )}
  </p>`
