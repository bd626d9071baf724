import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and those above it that are missing, one by one: in file systems without folders of one's own, such as
 * /proc, Node's `recursive` never ends.
 * @param mode of the folder; those above it get the usual one
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const existing = await stat(path).catch(() => undefined)
  if (existing?.isDirectory()) return
  if (dirname(path) !== path) await makeFolder(dirname(path))
  await mkdir(path, mode).catch((error: NodeJS.ErrnoException) => {
    // Another server may have made it meanwhile.
    if (error.code !== 'EEXIST' || existing) throw error
  })
}
