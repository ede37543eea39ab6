import type { Box } from "../../domain/DocumentIR.ts"
import { type FieldEvidence, sureFrom } from "../../domain/Evidence.ts"

/** A box to draw on a page. */
export interface OverlayBox {
  readonly page: number
  readonly box: Box
  /** The name of the field; absent for the cells of a table. */
  readonly label?: string
  /** Whether the value is sure. */
  readonly isSure: boolean
}

/** The boxes of fields, and of the cells of tables. */
export const overlayBoxes = (fields: { readonly [name: string]: FieldEvidence }): ReadonlyArray<OverlayBox> =>
  Object.entries(fields).flatMap(
    ([label, { bbox, cells = [], confidence, file, page }]): ReadonlyArray<OverlayBox> => {
      // Fields of attachments are skipped: the box would be on the wrong page.
      if (file !== undefined) return []
      const inside: ReadonlyArray<OverlayBox> = cells.flatMap((row) =>
        Object.values(row).map((cell) => ({
          page: cell.page,
          box: cell.bbox,
          isSure: cell.confidence >= sureFrom
        }))
      )
      if (bbox === undefined || page === undefined) return inside
      return inside.concat({ page, box: bbox, label, isSure: confidence >= sureFrom })
    }
  )
