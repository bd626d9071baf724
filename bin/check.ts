import { openFileStore } from '#server/file-store.ts'
import { type Installation, openKey, withDb } from './installation.ts'

/**
 * Checks what the server needs, which also may be running. Settings and database were checked on the way here.
 * @throws OperatorError or StoreFailed with what to change
 */
export async function checkInstallation(installation: Installation): Promise<void> {
  const { config } = installation
  await withDb(installation, (db) => openKey(config, db))
  const store = await openFileStore(config)
  await store.check()
  console.log(`Version:      ${config.version}`)
  console.log(`Address:      ${config.baseUrl}`)
  console.log(`Data folder:  ${config.dataDir}`)
  console.log(`Database:     ${config.databaseUrl ? 'that of DATABASE_URL' : 'in the data folder'}`)
  console.log('Settings, database, secret key and file store are right.')
}
