import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Loaded before a server (`--import`): writes the names of all packages that were loaded into LOADED_PACKAGES at its end. */
const packages = new Set<string>()
registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
    if (name) packages.add(name)
    return next(url, context)
  },
})
process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES!, JSON.stringify([...packages].sort())))
