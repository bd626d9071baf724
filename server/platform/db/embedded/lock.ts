import { chownSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../../operator-error.ts'
import type { DataFolder } from './ownership.ts'

/**
 * Claims a data folder for this process; returns the release. The lock is an open SQLite transaction on an empty file,
 * because that is the one lock Node can hold which the kernel drops when the process dies: a file with a process
 * number in it would be mistaken for a living server when the number is given out again.
 * Throws OperatorError when another server holds it.
 */
export function lockDataFolder({ path, owner }: DataFolder): () => void {
  const file = resolve(path, 'server.lock')
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    if (owner) chownSync(file, owner.uid, owner.gid)
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new OperatorError(
      `Another Parley server is using the data folder ${path}: stop it first, or use another data folder, for example DATA_DIR=./data-2 PORT=4001.`,
    )
  }
  return () => lock.close()
}

const SQLITE_BUSY = 5
