import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { findProgram, startProgram } from './program.ts'
import { freePort } from './server-process.ts'

const DOVECOT = findProgram('dovecot')
const DOVEADM = findProgram('doveadm')

/** Whether Dovecot is installed; without it, tests that need it are skipped. */
export const hasDovecot = DOVECOT !== undefined && DOVEADM !== undefined

export const DOVECOT_PASSWORD = 'password-of-the-mailbox'

export interface Dovecot {
  /** The port for IMAP on 127.0.0.1. */
  port: number
  /** A mail arrives in a folder of a user. */
  deliverMail(user: string, raw: string, folder?: string): void
  /** The subjects of the mails in a folder. */
  subjects(user: string, folder: string): string[]
  createFolder(user: string, folder: string): void
  deleteFolder(user: string, folder: string): void
  stop(): Promise<void>
}

/** A real Dovecot in a temporary folder: any user with the one password, each with 300 kB of space. */
export async function startDovecot(): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-dovecot-'))
  chmodSync(folder, 0o755)
  const home = join(folder, 'home')
  mkdirSync(home)
  chmodSync(home, 0o777)
  const port = await freePort()
  const config = join(folder, 'dovecot.conf')
  writeFileSync(config, writeConfig(folder, port))
  const program = await startProgram(DOVECOT!, ['-F', '-c', config], port)
  const doveadm = (args: string[], input = '') => execFileSync(DOVEADM!, ['-c', config, ...args], { input }).toString()
  return {
    port,
    deliverMail: (user, raw, name = 'INBOX') => void doveadm(['save', '-u', user, '-m', name], raw),
    subjects: (user, name) =>
      doveadm(['-f', 'tab', 'fetch', '-u', user, 'hdr.subject', 'mailbox', name]).trim().split('\n').slice(1),
    createFolder: (user, name) => void doveadm(['mailbox', 'create', '-u', user, name]),
    deleteFolder: (user, name) => void doveadm(['mailbox', 'delete', '-u', user, name]),
    async stop() {
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As root, mails belong to `nobody`, because Dovecot stores none for root; else everything is done as this user. */
function writeConfig(folder: string, port: number): string {
  const { uid, gid, username } = userInfo()
  const isRoot = uid === 0
  const [owner, group] = isRoot ? [65_534, 65_534] : [uid, gid]
  const ownUser = isRoot
    ? ''
    : `default_internal_user = ${username}\ndefault_login_user = ${username}\ndefault_internal_group = ${gid}`
  return `
    protocols = imap
    listen = 127.0.0.1
    base_dir = ${folder}/run
    state_dir = ${folder}/state
    log_path = ${folder}/log
    ssl = no
    disable_plaintext_auth = no
    ${ownUser}
    first_valid_uid = 1
    first_valid_gid = 1
    mail_location = maildir:~/Maildir
    mail_plugins = quota
    service imap-login {
      chroot =
      inet_listener imap {
        port = ${port}
      }
      inet_listener imaps {
        port = 0
      }
    }
    service anvil {
      chroot =
    }
    passdb {
      driver = static
      args = password=${DOVECOT_PASSWORD}
    }
    userdb {
      driver = static
      args = uid=${owner} gid=${group} home=${folder}/home/%u
    }
    namespace inbox {
      inbox = yes
      separator = /
      mailbox Sent {
        auto = subscribe
        special_use = \\Sent
      }
    }
    plugin {
      quota = maildir:User quota
      quota_rule = *:storage=300K
      quota_max_mail_size = 0
      quota_grace = 0
    }
  `.replace(/^ {4}/gm, '')
}
