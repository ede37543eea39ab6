import type { Box } from "./DocumentIR.ts"

/**
 * The direction of text on a scanned page: by how many quarter turns clockwise, and then by how many degrees
 * anticlockwise (`skew`), the page must be turned about its centre to make the text upright.
 */
export interface Slant {
  readonly turns: 0 | 1 | 2 | 3
  readonly skew: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

const around = (x: number, y: number, w: number, h: number): Box => ({ x: x - w / 2, y: y - h / 2, w, h })

/** The size of a page after its quarter turns. */
export const turnedSize = ({ turns }: Slant, { width, height }: Size): Size =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width }

const rotated = (box: Box, { width, height }: Size, degrees: number) => {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const [x, y] = [box.x + box.w / 2 - width / 2, box.y + box.h / 2 - height / 2]
  return { x: x * cos - y * sin + width / 2, y: x * sin + y * cos + height / 2 }
}

/** Converts a box of the page to the upright page. Boxes keep their size. */
export const toUpright = (slant: Slant, page: Size, box: Box): Box => {
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2]
  const turned = () => {
    switch (slant.turns) {
      case 1:
        return around(page.height - y, x, box.h, box.w)
      case 2:
        return around(page.width - x, page.height - y, box.w, box.h)
      case 3:
        return around(y, page.width - x, box.h, box.w)
      default:
        return box
    }
  }
  const now = turned()
  const middle = rotated(now, turnedSize(slant, page), -slant.skew)
  return around(middle.x, middle.y, now.w, now.h)
}

/** The reverse: from the upright page to the original page. */
export const fromUpright = (slant: Slant, page: Size, box: Box): Box => {
  const { x, y } = rotated(box, turnedSize(slant, page), slant.skew)
  switch (slant.turns) {
    case 1:
      return around(y, page.height - x, box.h, box.w)
    case 2:
      return around(page.width - x, page.height - y, box.w, box.h)
    case 3:
      return around(page.width - y, x, box.h, box.w)
    default:
      return around(x, y, box.w, box.h)
  }
}
