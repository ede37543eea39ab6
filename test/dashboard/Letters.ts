import { drawPdf } from "../document/DrawPdf.ts"
import { base64 } from "../support/Documents.ts"

/** A letter of one sender; `down` moves its lower part, as more lines above it do. */
export const letter = async (caseCode: string, due: string, day: string, down = 0) =>
  base64(
    await drawPdf([
      {
        texts: [
          { text: "Meridian Claims Bureau", x: 60, y: 70, size: 16 },
          { text: "Settlement advice for our members", x: 60, y: 95 },
          { text: "Handling reference", x: 60, y: 150 },
          { text: caseCode, x: 300, y: 150 },
          { text: "Prepared for settlement", x: 60, y: 170 },
          { text: day, x: 300, y: 170 },
          { text: "We thank you for your patience.", x: 60, y: 220 },
          ...Array.from({ length: down / 20 }, (_, line) => ({
            text: `Position ${line + 1} was examined`,
            x: 60,
            y: 260 + 20 * line
          })),
          { text: "Remaining obligation", x: 60, y: 300 + down },
          { text: due, x: 300, y: 300 + down }
        ]
      }
    ])
  )

/** The boxes that a person draws, in points. A value is typed as well where the text alone does not tell its type. */
export const boxes = {
  caseCode: { x: 295, y: 138, w: 150, h: 17 },
  due: { x: 295, y: 288, w: 150, h: 17 }
}
