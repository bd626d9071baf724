import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readFile, rmdir, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, resolve } from 'node:path'
import type { DataFolder } from './ownership.ts'

/** Where the embedded server listens: a folder for its unix socket, or a port of the loopback address. */
export interface Listening {
  host: string
  port: number
  password?: string
}

/** The port only names the socket file here; nothing listens on the network. */
const SOCKET_PORT = 5432
/** The room for a socket's path, without the closing zero byte. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103
const TEMPORARY = 'parley-'

/** The folder for the socket: in the data folder, or a private one in the temp folder where that path is too long. */
export async function listenOnSocket({ path, owner }: DataFolder): Promise<Listening> {
  const usual = resolve(path, 'socket')
  if (fits(usual)) await mkdir(usual, { recursive: true, mode: 0o700 })
  const host = fits(usual) ? usual : await mkdtemp(resolve(shortTempFolder(), TEMPORARY))
  await removeSocket(usual)
  if (owner) await chown(host, owner.uid, owner.gid)
  await chmod(host, 0o700)
  return { host, port: SOCKET_PORT }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(`${folder}/.s.PGSQL.${SOCKET_PORT}`) <= MAX_SOCKET_PATH_BYTES
}

function shortTempFolder(): string {
  return fits(resolve(tmpdir(), `${TEMPORARY}XXXXXX`)) ? tmpdir() : '/tmp'
}

/** Removes the socket of a server that is gone (an address is no folder and left alone), and the folder made for it in the temp folder. */
export async function removeSocket(folder: string): Promise<void> {
  if (!isAbsolute(folder)) return
  for (const name of [`.s.PGSQL.${SOCKET_PORT}`, `.s.PGSQL.${SOCKET_PORT}.lock`]) {
    await unlink(resolve(folder, name)).catch(() => undefined)
  }
  if (basename(folder).startsWith(TEMPORARY)) await rmdir(folder).catch(() => undefined)
}

/** Windows has no unix sockets that PostgreSQL's clients speak: a free loopback port and a password kept 0600. */
export async function listenOnLoopback({ path }: DataFolder): Promise<Listening> {
  return {
    host: '127.0.0.1',
    port: await freePort(),
    password: await readOrCreatePassword(resolve(path, 'database.password')),
  }
}

async function readOrCreatePassword(file: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  try {
    await writeFile(file, password, { mode: 0o600, flag: 'wx' })
    return password
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readFile(file, 'utf8')
  }
}

function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address && typeof address === 'object'
          ? resolvePort(address.port)
          : reject(new Error('No free port was found.')),
      )
    })
  })
}
