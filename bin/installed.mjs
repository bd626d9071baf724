/** Runs before commands that may be the first one on a machine. Plain JavaScript, because it also installs. */
import { prepare } from './prepare.mjs'
import { report } from './runtime.mjs'

await prepare({ build: false }).catch(report)
