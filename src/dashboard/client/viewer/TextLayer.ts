import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { PageText } from "../../../domain/PageText.ts"

/** The baseline is so far down in the box of a word. */
const baseline = 0.8

/** The words of a page at their positions, for selection and search; `visible` if the page has no picture. */
export const textLayer = ({ lines }: PageText, visible: boolean): ComponentChildren =>
  html`<g class=${visible ? "text-layer text-visible" : "text-layer"}>
    ${lines.map(
      ({ words }, index) =>
        html`<text key=${index}>
          ${words.map(
            ({ bbox: { h, w, x, y }, text }) =>
              html`<tspan
                  x=${x}
                  y=${y + h * baseline}
                  font-size=${h}
                  textLength=${w}
                  lengthAdjust="spacingAndGlyphs"
                  >${text}</tspan
                ><tspan font-size=${h}> </tspan>`
          )}
        </text>`
    )}
  </g>`
