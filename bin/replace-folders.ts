import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Moves what is in one folder into another, where each entry replaces the one of the same name; others stay. Each is
 * replaced by renaming, so whoever reads there meanwhile finds the old entry or the new one.
 */
export function replaceFolders(from: string, into: string): void {
  mkdirSync(into, { recursive: true })
  for (const name of readdirSync(from)) {
    const [target, replaced] = [join(into, name), join(into, `.replaced-${name}`)]
    rmSync(replaced, { recursive: true, force: true })
    if (existsSync(target)) renameSync(target, replaced)
    renameSync(join(from, name), target)
    rmSync(replaced, { recursive: true, force: true })
  }
  rmSync(from, { recursive: true })
}
