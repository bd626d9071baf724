import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import { KEY_FILE, newSecretKey, readSecretKey, writeSecretKey } from '#server/data-folder.ts'

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
  const own = restored && !config.secretKey ? undefined : await readSecretKey(config)
  if (own) return { secretKey: own, keep: nothing, discard: nothing }
  const secretKey = restored ?? newSecretKey()
  const coming = `${KEY_FILE}.restored`
  const file = resolve(config.dataDir, coming)
  await rm(file, { force: true })
  await writeSecretKey(config.dataDir, coming, secretKey)
  return {
    secretKey,
    keep: () => rename(file, resolve(config.dataDir, KEY_FILE)),
    discard: () => rm(file, { force: true }),
  }
}
