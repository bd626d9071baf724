import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { expect } from 'vitest'
import { freePort } from './server-process.ts'

/** Debian's names of the programs whose configurations are tested. */
export type ProxyName = 'apache2' | 'haproxy'

/** Whether a program is installed, also in the folders of root. */
export function isInstalled(name: ProxyName): boolean {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some((folder) => existsSync(join(folder, name)))
}

/** A running proxy. */
interface RunningProxy {
  url: string
  stop(): Promise<void>
}

const read = (name: string) => readFileSync(resolve(import.meta.dirname, '../../deploy', name), 'utf8')

/** Where Debian has the modules of Apache. */
const MODULES = '/usr/lib/apache2/modules'

/**
 * The configuration of `deploy/` without TLS, so that tests need no certificates, on this port in front of this server.
 * Modules are those that the page tells to enable.
 */
const CONFIGURATIONS: Record<ProxyName, (folder: string, port: number, server: string) => string> = {
  apache2(folder, port, server) {
    const page = readFileSync(resolve(import.meta.dirname, '../../docs/running/apache.md'), 'utf8')
    const [, named = ''] = /a2enmod (.*?) &&/.exec(page) ?? []
    const modules = [
      'mpm_event',
      'authz_core',
      'alias',
      ...named.split(' ').filter((name) => !/^(ssl|http2)$/.test(name)),
    ]
    const [, secure = ''] = read('apache.conf').split(/^(?=<VirtualHost \*:443>)/m)
    return [
      `ServerName localhost\nPidFile ${folder}/pid\nErrorLog ${folder}/error.log\nMutex file:${folder} default`,
      ...modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
      `User www-data\nGroup www-data\nListen 127.0.0.1:${port}`,
      secure
        .replace(/^ {2}(SSL|Protocols ).*\n/gm, '')
        .replace('*:443', `*:${port}`)
        .replace('127.0.0.1:4000', server),
    ].join('\n')
  },
  haproxy: (_folder, port, server) =>
    read('haproxy.cfg')
      .replace('bind :80', `bind 127.0.0.1:${port}`)
      .replace(/^ {2}(bind :443|http-request redirect).*\n/gm, '')
      // As many files as this needs are only allowed to services.
      .replace(/maxconn \d+/, 'maxconn 200')
      .replace('127.0.0.1:4000', server),
}

const ARGUMENTS: Record<ProxyName, (file: string) => string[]> = {
  apache2: (file) => ['-f', file, '-DFOREGROUND'],
  haproxy: (file) => ['-db', '-f', file],
}

/** Starts a proxy with its configuration of `deploy/` in front of a server. */
export async function startProxy(name: ProxyName, serverUrl: string): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `parley-${name}-`))
  await chmod(folder, 0o777)
  const port = await freePort()
  const file = join(folder, 'proxy.conf')
  await writeFile(file, CONFIGURATIONS[name](folder, port, new URL(serverUrl).host))
  const env = { ...process.env, PATH: `${process.env.PATH}${delimiter}/usr/sbin` }
  const running = spawn(name, ARGUMENTS[name](file), { stdio: 'ignore', env })
  const url = `http://127.0.0.1:${port}`
  const health = () => fetch(`${url}/health`).then(({ status }) => status, String)
  await expect.poll(health, { timeout: 30_000 }).toBe(200)
  return {
    url,
    async stop() {
      await end(running)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function end(running: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => running.once('exit', resolve))
  running.kill('SIGTERM')
  await ended
}
