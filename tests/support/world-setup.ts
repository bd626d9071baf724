import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { makeBystanders } from './bystanders/making.ts'
import { rememberBystanders, rememberNamed } from './bystanders/snapshot.ts'
import { command, type DatabaseAddress, EMPTY, WORLD } from './database.ts'
import { startTestServer, type TestServer } from './server.ts'
import { makeWorld, register, type World } from './world.ts'

/** After `database-setup.ts`: makes the template with the named world and its bystanders. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const files = await mkdtemp(join(tmpdir(), 'parley-world-'))
  const stop = () => rm(files, { recursive: true, force: true })
  try {
    project.provide('world', await makeTemplateWorld(project.getProvidedContext().database, files))
    project.provide('files', files)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeTemplateWorld(address: DatabaseAddress, files: string): Promise<World> {
  const connection = { ...address, database: WORLD }
  await command(address, `CREATE DATABASE ${WORLD} TEMPLATE ${EMPTY}`)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const server = await startTestServer({}, undefined, { connection, template: EMPTY, drop: async () => {} })
    const world = await fillWorld(server, client, files).finally(() => server.close())
    await markWorkDone(client)
    return world
  } finally {
    await client.end()
  }
}

/** First the people of the tests, then bystanders in the same company and in another one, all through the API. */
async function fillWorld(server: TestServer, client: pg.Client, files: string): Promise<World> {
  const world = await makeWorld(server)
  await rememberNamed(client)
  await makeBystanders(server, 'acme', { ...world.ada, account_id: world.acme.id })
  await makeBystanders(server, 'other', await register(server, 'Bystander Ltd', 'bo@other.bystander.test'))
  await cp(join(server.context.config.dataDir, 'files'), files, { recursive: true })
  return world
}

/** Marks all work as done, so that nothing starts in the clones. */
async function markWorkDone(client: pg.Client): Promise<void> {
  await client.query('DELETE FROM jobs.job')
  // A clone with a mail server would otherwise send these mails within a minute.
  await client.query('UPDATE mails SET kept_at = null, sent_at = created_at')
  const newest = 'SELECT xid, id FROM events ORDER BY xid DESC, id DESC LIMIT 1'
  await client.query(`UPDATE event_followers SET (xid, id) = (${newest})`)
  await rememberBystanders(client)
}

declare module 'vitest' {
  export interface ProvidedContext {
    world: World
    /** Folder with the files of the bystanders. */
    files: string
  }
}
