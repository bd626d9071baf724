import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { makeCertificate } from './certificate.ts'
import { findProgram, startProgram } from './program.ts'
import { freePort } from './server-process.ts'

const POSTFIX = findProgram('postfix')

/** Whether Postfix is installed and can be started, for which it needs root; otherwise tests with it are skipped. */
export const hasPostfix = POSTFIX !== undefined && userInfo().uid === 0

/** Where Debian and most others install its daemons. */
const DAEMONS = '/usr/lib/postfix/sbin'

export interface Postfix {
  /** The port for SMTP on 127.0.0.1. It offers STARTTLS with a certificate for `mail.example.test`. */
  port: number
  /** From now on, mail for one address goes to another, as that of a company does. */
  forward(address: string, to: string): void
  stop(): Promise<void>
}

/**
 * A real Postfix in a temporary folder, which takes mail from this machine.
 * @param routes where mail for some domains goes: ports on 127.0.0.1
 * @param others the port for all other mail
 */
export async function startPostfix(routes: Record<string, number>, others: number): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-postfix-'))
  chmodSync(folder, 0o755)
  const [config, queue, data] = ['config', 'queue', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [config, queue, data]) mkdirSync(path)
  chownSync(data, Number(execFileSync('id', ['-u', 'postfix'])), 0)
  const { key, cert } = makeCertificate('mail.example.test')
  writeFileSync(join(config, 'tls.pem'), `${key}${cert}`)
  const port = await freePort()
  const aliases = join(config, 'aliases')
  writeFileSync(aliases, '')
  writeFileSync(join(config, 'main.cf'), writeMain({ folder, config, queue, data, aliases }, routes, others))
  writeFileSync(join(config, 'master.cf'), writeMaster(port))
  const program = await startProgram(POSTFIX!, ['-c', config, 'start-fg'], port)
  return {
    port,
    forward(address, to) {
      appendFileSync(aliases, `${address} ${to}\n`)
      execFileSync(POSTFIX!, ['-c', config, 'reload'], { stdio: 'ignore' })
    },
    async stop() {
      execFileSync(POSTFIX!, ['-c', config, 'stop'], { stdio: 'ignore' })
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Paths {
  folder: string
  config: string
  queue: string
  data: string
  aliases: string
}

function writeMain(
  { folder, config, queue, data, aliases }: Paths,
  routes: Record<string, number>,
  others: number,
): string {
  const transports = Object.entries(routes).map(([domain, to]) => `{ ${domain} = smtp:[127.0.0.1]:${to} }`)
  return [
    'compatibility_level = 3.6',
    `queue_directory = ${queue}`,
    `data_directory = ${data}`,
    `daemon_directory = ${DAEMONS}`,
    'command_directory = /usr/sbin',
    'mail_owner = postfix',
    'setgid_group = postdrop',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'mynetworks = 127.0.0.0/8',
    'myhostname = mail.example.test',
    'mydestination =',
    'alias_maps =',
    `transport_maps = inline:{ ${transports.join(', ')} }`,
    `default_transport = smtp:[127.0.0.1]:${others}`,
    `virtual_alias_maps = texthash:${aliases}`,
    `smtpd_tls_chain_files = ${join(config, 'tls.pem')}`,
    'smtpd_tls_security_level = may',
    'smtp_tls_security_level = none',
    `maillog_file = ${join(folder, 'log')}`,
    `maillog_file_prefixes = ${folder}`,
    '',
  ].join('\n')
}

function writeMaster(port: number): string {
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 1 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n')
}
