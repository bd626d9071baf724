import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Owner } from './ownership.ts'

/** The few variables PostgreSQL's programs need: none of ours (secrets), and no PG… setting of the shell. */
function environment(): NodeJS.ProcessEnv {
  const passedOn = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'USERPROFILE']
  const env = Object.fromEntries(passedOn.map((name) => [name, process.env[name]]).filter(([, value]) => value))
  return { ...env, LC_ALL: 'C', TZ: 'UTC' }
}

/** Starts a program of PostgreSQL's, under `owner` when this process is root, with its output on pipes. */
export function run(program: string, args: string[], owner: Owner | undefined, options: SpawnOptions): ChildProcess {
  const identity = owner ? { uid: owner.uid, gid: owner.gid } : {}
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment(), ...identity, ...options })
}
