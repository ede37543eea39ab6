/**
 * Makes what a release consists of, in `release/`: the packages of docflow and its client, the container image where docker,
 * podman or buildah can build it, a bill of materials (CycloneDX) and checksums. With a version, it first writes that into all
 * files that have it and into the changelog. It refuses when versions differ or the changelog does not have the version.
 * Nothing is committed or published.
 *
 * npm run release -- [version]
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { billOfMaterials } from "./release/BillOfMaterials.ts"
import { saveImage } from "./release/Image.ts"
import { run } from "./release/RunProgram.ts"
import { checkedVersion, setVersion } from "./release/Versions.ts"

const target = "release"

const checksum = async (file: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(join(target, file)), hash)
  return `${hash.digest("hex")}  ${file}\n`
}

const [, , wanted] = process.argv
if (wanted !== undefined) await setVersion(wanted)
const version = await checkedVersion()

await rm(target, { recursive: true, force: true })
await mkdir(target)
run("npm", ["pack", "--pack-destination", target])
run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "clients/typescript"])
run("npm", ["pack", "--ignore-scripts", "--pack-destination", join("..", "..", target)], "clients/typescript")
await writeFile(join(target, "docflow.cdx.json"), await billOfMaterials())
if (saveImage(version, target) === undefined)
  console.log("No image: neither docker with an engine that runs, nor podman, nor buildah was found.")
const files = (await readdir(target)).sort()
await writeFile(join(target, "SHA256SUMS"), (await Promise.all(files.map(checksum))).join(""))
console.log(`docflow ${version}: ${files.join(", ")} and SHA256SUMS in ${target}/`)
