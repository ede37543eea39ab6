import { execFileSync } from "node:child_process"
import { hash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import type { Sharp } from "sharp"
import { loadSharp } from "../src/document/formats/images/Sharp.ts"
import { picturePdf } from "../test/document/Scans.ts"

/** How a printed page reaches docflow: as it was printed, from a scanner (in one respect worse or better than usual), or photographed. */
export const captures = [
  "pdf",
  "scan",
  "scan-150",
  "scan-300",
  "scan-askew",
  "scan-blurred",
  "scan-noisy",
  "scan-pale",
  "scan-packed",
  "photo"
] as const
export type Capture = (typeof captures)[number]

/** Numbers from a name, so that each document is degraded in its own way, and the same way every time. */
const chanceOf =
  (name: string) =>
  (what: string, from: number, to: number): number =>
    from + ((to - from) * parseInt(hash("sha256", `${name} ${what}`).slice(0, 8), 16)) / 0xffffffff

/** A grey picture with the noise of a sensor, from a generator with a fixed start. */
const withNoise = async (image: Sharp, strength: number, seed: number): Promise<Sharp> => {
  const sharp = await loadSharp()
  const { data, info } = await image.greyscale().raw().toBuffer({ resolveWithObject: true })
  let state = seed
  const noisy = data.map((value: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.max(0, Math.min(255, value + strength * (state / 0xffffffff - 0.5)))
  })
  return sharp(Buffer.from(noisy), {
    raw: { width: info.width, height: info.height, channels: 1 }
  })
}

type Range = readonly [number, number]

/** What a scanner does to a page: the angle in degrees, the noise of its sensor, its contrast, the quality of its JPEG. */
interface Scanner {
  readonly dots: number
  readonly angle: Range
  readonly blur: Range
  readonly noise: Range
  readonly contrast: number
  readonly light: Range
  readonly quality: number
}

const usual: Scanner = {
  dots: 200,
  angle: [-1.2, 1.2],
  blur: [0.4, 0.8],
  noise: [10, 40],
  contrast: 0.85,
  light: [10, 30],
  quality: 65
}

const scanners: Readonly<Record<Exclude<Capture, "pdf" | "photo">, Scanner>> = {
  scan: usual,
  "scan-150": { ...usual, dots: 150 },
  "scan-300": { ...usual, dots: 300 },
  "scan-askew": { ...usual, angle: [2.5, 3.5] },
  "scan-blurred": { ...usual, blur: [1.2, 1.6] },
  "scan-noisy": { ...usual, noise: [80, 120] },
  "scan-pale": { ...usual, contrast: 0.5, light: [100, 120] },
  "scan-packed": { ...usual, quality: 25 }
}

const scanned = async (page: Buffer, name: string, scanner: Scanner): Promise<Buffer> => {
  const sharp = await loadSharp()
  const chance = chanceOf(name)
  const image = sharp(page)
    .flatten({ background: "white" })
    .rotate(chance("angle", ...scanner.angle), { background: "white" })
    .blur(chance("blur", ...scanner.blur))
    .linear(scanner.contrast, chance("light", ...scanner.light))
  const noisy = await withNoise(image, chance("noise", ...scanner.noise), Math.floor(chance("seed", 1, 1e6)))
  return noisy.jpeg({ quality: scanner.quality }).toBuffer()
}

/** White at the left, `dark` at the right; `fall` says how much it is darker below. */
const shadowOf = (width: number, height: number, dark: number, fall: number): Buffer => {
  const shadow = Buffer.alloc(3 * width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const along = (x / width + (fall * y) / height) / (1 + fall)
      const share = Math.min(1, Math.max(0, (along - 0.3) / 0.6))
      shadow.fill(Math.round(255 - share * (255 - dark)), 3 * (y * width + x), 3 * (y * width + x) + 3)
    }
  }
  return shadow
}

/** On a table, sheared as from an angle, half of it in a shadow. */
const photographed = async (page: Buffer, name: string): Promise<Buffer> => {
  const sharp = await loadSharp()
  const chance = chanceOf(name)
  const paper = await sharp(page)
    .flatten({ background: "white" })
    .trim({ threshold: 20 })
    .extend({ top: 40, bottom: 40, left: 30, right: 30, background: "#f6f3ee" })
    .png()
    .toBuffer({ resolveWithObject: true })
  const { height, width } = paper.info
  const dark = Math.floor(chance("shadow", 90, 150))
  const shadow = shadowOf(width, height, dark, chance("fall", 0.2, 1))
  const shaded = await sharp(paper.data)
    .composite([{ input: shadow, raw: { width, height, channels: 3 }, blend: "multiply" }])
    .png()
    .toBuffer()
  const askew = await sharp(shaded)
    .affine([1, chance("shear", -0.02, 0.02), chance("tilt", -0.03, 0.03), chance("squeeze", 0.96, 1)], {
      background: "#5b5149"
    })
    .extend({ top: 50, bottom: 50, left: 60, right: 60, background: "#5b5149" })
    .png()
    .toBuffer()
  const image = sharp(askew)
    .rotate(chance("angle", -2, 2), { background: "#5b5149" })
    .blur(chance("blur", 0.5, 1.1))
  const noisy = await withNoise(image, chance("noise", 20, 60), Math.floor(chance("seed", 1, 1e6)))
  return noisy.jpeg({ quality: 70 }).toBuffer()
}

/** A worse copy of a picture, `copy` of several: smaller, askew, unsharp, pale, noisy and much compressed. */
export const worseCopy = async (picture: Uint8Array, name: string, copy: number): Promise<Uint8Array> => {
  const sharp = await loadSharp()
  const chance = chanceOf(`${name} ${copy}`)
  const { width = 500 } = await sharp(picture).metadata()
  const image = sharp(picture)
    .greyscale()
    .rotate(chance("angle", -1, 1), { background: "#ddd" })
    .resize(Math.round(width * chance("size", 0.5, 0.9)))
    .blur(chance("blur", 0.3, 0.8))
    .linear(chance("contrast", 0.5, 0.9), chance("light", 10, 40))
  const noisy = await withNoise(image, chance("noise", 10, 70), Math.floor(chance("seed", 1, 1e6)))
  return noisy.jpeg({ quality: Math.round(chance("quality", 30, 70)) }).toBuffer()
}

/** What a document becomes as a picture: a JPEG of its page, or a PDF with a picture of each. */
interface CapturedDocument {
  readonly bytes: Uint8Array
  readonly mimeType: "image/jpeg" | "application/pdf"
}

/** A PDF as a scanner or a phone would deliver it, each page degraded in its own way; made once and kept. */
export const captured = async (
  pdf: Uint8Array,
  as: Exclude<Capture, "pdf">,
  name: string
): Promise<CapturedDocument> => {
  const scanner = as === "photo" ? undefined : scanners[as]
  const dots = scanner?.dots ?? 170
  const folder = `${tmpdir()}/docflow-captured/${hash("sha256", `${as} ${name}`).slice(0, 8)}-${hash("sha256", pdf).slice(0, 16)}`
  if (!existsSync(`${folder}/whole`)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/printed.pdf`, pdf)
    execFileSync("pdftoppm", ["-r", String(dots), "-png", `${folder}/printed.pdf`, `${folder}/page`])
    const printed = readdirSync(folder)
      .filter((file) => file.endsWith(".png"))
      .toSorted()
    for (const [i, file] of printed.entries()) {
      const page = readFileSync(`${folder}/${file}`)
      const own = i === 0 ? name : `${name} page ${i + 1}`
      const picture = scanner === undefined ? photographed(page, own) : scanned(page, own, scanner)
      writeFileSync(`${folder}/${file.replace("png", "jpg")}`, await picture)
    }
    writeFileSync(`${folder}/whole`, "")
  }
  const pictures = readdirSync(folder)
    .filter((file) => file.endsWith(".jpg"))
    .toSorted()
    .map((file) => readFileSync(`${folder}/${file}`))
  const [first = new Uint8Array(), ...others] = pictures
  return others.length === 0
    ? { bytes: first, mimeType: "image/jpeg" }
    : { bytes: await picturePdf(pictures, dots), mimeType: "application/pdf" }
}
