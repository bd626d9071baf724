import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

/** Where databases of servers run by root live when the data folder is out of reach. */
export const fallbackFolder = '/var/lib/parley'

/**
 * The substitute for a data folder: `/root/shop chat/data` becomes `/var/lib/parley/root-shop-chat-data-1f3a9c2e`. Each
 * requested folder has its own, so two servers never share a database.
 */
export function fallbackFor(requested: string): string {
  const readable = requested
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(-40)
  const hash = createHash('sha256').update(requested).digest('hex').slice(0, 8)
  return resolve(fallbackFolder, `${readable}-${hash}`)
}
