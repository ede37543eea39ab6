import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The folder of docflow's own files: the clone, or `dist/` of the installed package. */
const home = new URL("../../", import.meta.url)

/** Whether a folder is one that ships with docflow. */
export const isShipped = (folder: string, name: string): boolean =>
  folder === fileURLToPath(new URL(name, home))

/** A file or folder of the working directory, such as `flows`, or docflow's own if there is none. */
export const ownOrShipped = (name: string): string =>
  existsSync(name) ? name : fileURLToPath(new URL(name, home))
