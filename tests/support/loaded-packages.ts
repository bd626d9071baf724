import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/**
 * Preloaded into a server (`--import`): at exit it writes the names of all loaded packages to the file LOADED_PACKAGES.
 */
const packages = new Set<string>()
registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
    if (name) packages.add(name)
    return next(url, context)
  },
})
process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES!, JSON.stringify([...packages].sort())))
