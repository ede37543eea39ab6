/** Where on the page the pointer is, in points. */
export const pointOf = (svg: SVGSVGElement | null, { clientX, clientY }: MouseEvent) => {
  if (svg === null) return undefined
  const { height, left, top, width } = svg.getBoundingClientRect()
  const { height: down, width: across } = svg.viewBox.baseVal
  return { x: ((clientX - left) / width) * across, y: ((clientY - top) / height) * down }
}
