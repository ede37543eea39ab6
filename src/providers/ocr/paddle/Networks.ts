import { InferenceSession, Tensor } from "onnxruntime-node"
import { modelFiles, readDictionary, readModel } from "./ModelFiles.ts"

/** A network with one input and one output. */
export interface Network {
  /** Runs it on a tensor of this shape. */
  readonly run: (
    values: Float32Array,
    shape: ReadonlyArray<number>
  ) => Promise<{ readonly values: Float32Array; readonly shape: ReadonlyArray<number> }>
}

/** The two networks of PP-OCRv4, and the meaning of the classes of the second. */
export interface Networks {
  readonly detection: Network
  readonly recognition: Network
  readonly dictionary: ReadonlyArray<string>
}

/** One thread: two are slower in wall time. Without the arena a third less memory, at the same speed. */
const options: InferenceSession.SessionOptions = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
  enableMemPattern: false,
  logSeverityLevel: 4
}

const load = async (bytes: Buffer): Promise<Network> => {
  const session = await InferenceSession.create(bytes, options)
  const [input = "", output = ""] = [session.inputNames[0], session.outputNames[0]]
  return {
    run: async (values, shape) => {
      const found = (await session.run({ [input]: new Tensor("float32", values, shape) }))[output]
      if (found === undefined || !(found.data instanceof Float32Array)) throw new Error("No output.")
      return { values: found.data, shape: found.dims }
    }
  }
}

/** Loads both networks (0.3 s); throws if a file is not the expected one. */
export const loadNetworks = async (): Promise<Networks> => ({
  detection: await load(readModel(modelFiles.detection)),
  recognition: await load(readModel(modelFiles.recognition)),
  dictionary: readDictionary()
})
