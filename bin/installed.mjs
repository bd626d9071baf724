/** Runs before commands that may be the first on a machine. Plain JavaScript, because it also installs the packages. */
import { prepare } from './prepare.mjs'
import { report } from './runtime.mjs'

await prepare({ build: false }).catch(report)
