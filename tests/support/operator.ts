import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { FreshDatabase } from './database.ts'
import { COMPILED } from './server-process.ts'

/** In the form of DATABASE_URL. */
export function urlOf({ connection }: FreshDatabase, user = connection.user): string {
  const { host, port, password = '', database } = connection
  const who = `${user}:${encodeURIComponent(password)}`
  return `postgres://${who}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** Starts `npm run parley -- …` as an operator does, with these settings only. */
export function startParley(
  command: string,
  path: string,
  env: Record<string, string>,
  stdin: 'ignore' | 'pipe' = 'ignore',
  options: string[] = [],
) {
  return spawn(
    process.execPath,
    [resolve(import.meta.dirname, '../../bin/parley.ts'), ...command.split(' '), path, ...options],
    {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, DATABASE_URL: '', SECRET_KEY: '', ...env },
      stdio: [stdin, 'pipe', 'pipe'] as const,
    },
  )
}

/** Runs such a command to its end. */
export async function runParley(command: string, path: string, env: Record<string, string>, options?: string[]) {
  const child = startParley(command, path, env, 'ignore', options)
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    new Promise((done) => child.once('exit', done)),
  ])
  return { code, output: stdout + stderr }
}
