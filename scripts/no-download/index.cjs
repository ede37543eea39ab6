"use strict"

/**
 * Replaces the package `global-agent` for `onnxruntime-node` alone, see `overrides` in package.json. Only that package's install
 * script uses it, as its first step; the rest of the script downloads 300 MB for CUDA, which docflow does not use. npm 11 does
 * not run the script at all (`allowScripts`), npm 10 does, and npm 11 warns of the setting that the script itself would read.
 */
exports.bootstrap = () => process.exit(0)
