import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newerScriptFeatures } from './newer-features.ts'
import { findUses } from './scripts.ts'

const dist = resolve(import.meta.dirname, '../../dist')

/** What runs in browsers. Scripts of one application may define what others of it use. */
const APPLICATIONS = ['dashboard', 'replay-box', 'widget']

/** The built files of each application that end so. */
export function shippedFiles(extension: '.js' | '.css'): string[][] {
  return APPLICATIONS.map((folder) =>
    readdirSync(join(dist, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(extension))
      .map((name) => readFileSync(join(dist, folder, name), 'utf8')),
  )
}

/** Uses of features in shipped scripts that one of the oldest browsers lacks. */
export function shippedUses() {
  const newer = newerScriptFeatures()
  return shippedFiles('.js').flatMap((scripts) => findUses(scripts, newer))
}
