import type { Candidate } from "../candidates/Candidate.ts"
import type { Region } from "../FieldDefinition.ts"
import type { Reading } from "./Reading.ts"

const half = (region: string, low: string, high: string): readonly [number, number] =>
  region.includes(low) ? [0, 0.5] : region.includes(high) ? [0.5, 1] : [0, 1]

/** Whether the middle of a value lies in a region of its page. */
export const isInside = (reading: Reading, region: Region, { span, bbox }: Candidate): boolean => {
  const page = reading.pages[span.page]
  if (page === undefined) return false
  const x = (bbox.x + bbox.w / 2) / page.width
  const y = (bbox.y + bbox.h / 2) / page.height
  const [[left, right], [top, bottom]] =
    typeof region === "string"
      ? [half(region, "left", "right"), half(region, "top", "bottom")]
      : [
          [region.left, region.right],
          [region.top, region.bottom]
        ]
  return left <= x && x <= right && top <= y && y <= bottom
}
