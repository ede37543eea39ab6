import { join } from "node:path"
import { run, runs } from "./RunProgram.ts"

/** Programs that build an image and save it as an archive for `docker load`; `docker info` needs an engine that runs. */
const engines = [
  {
    program: "docker",
    check: ["info"],
    build: ["build"],
    save: (name: string, file: string) => ["save", "--output", file, name]
  },
  {
    program: "podman",
    check: ["--version"],
    // Images of its own format have no health check.
    build: ["build", "--format", "docker"],
    save: (name: string, file: string) => ["save", "--format", "docker-archive", "--output", file, name]
  },
  {
    program: "buildah",
    check: ["--version"],
    build: ["build", "--format", "docker"],
    save: (name: string, file: string) => ["push", name, `docker-archive:${file}:${name}`]
  }
]

/** Builds the image of a version and saves it to a folder: the file's name, or undefined where no program can build it. */
export const saveImage = (version: string, folder: string): string | undefined => {
  const engine = engines.find(({ check, program }) => runs(program, check))
  if (engine === undefined) return undefined
  const name = `docflow:${version}`
  const file = `docflow-image-${version}.tar`
  run(engine.program, [...engine.build, "--tag", name, "."])
  run(engine.program, engine.save(name, join(folder, file)))
  return file
}
