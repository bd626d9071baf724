import { chatwoot } from '../chatwoot/reader.ts'
import { papercups } from '../papercups/reader.ts'
import type { Reader } from './reader.ts'

/** The products that people can move from. Each has a command, `import-<id>`. */
export const READERS: Reader[] = [papercups, chatwoot]
