import { rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import { loadSecretKey } from '#server/data-folder.ts'

/** The key of an installation after an import. */
export interface FutureKey {
  secretKey: string
  /** Called once everything is committed. */
  keep(): Promise<void>
  /** Called when nothing was imported. */
  discard(): Promise<void>
}

/**
 * The key of a backup replaces the one in the data folder, but only once the database is committed: a failed restore
 * would otherwise leave an installation without its key. If SECRET_KEY is set, that stays the key.
 */
export async function prepareKey(config: Config, restored: string | undefined): Promise<FutureKey> {
  const nothing = async () => undefined
  if (!restored || config.secretKey) {
    return { secretKey: await loadSecretKey(config), keep: nothing, discard: nothing }
  }
  const file = resolve(config.dataDir, 'secret.key')
  const coming = `${file}.restored`
  await rm(coming, { force: true })
  await writeFile(coming, restored, { mode: 0o600, flag: 'wx', flush: true })
  return {
    secretKey: restored,
    keep: () => rename(coming, file),
    discard: () => rm(coming, { force: true }),
  }
}
