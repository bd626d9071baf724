import { parseArgs } from 'node:util'
import { features, integrations } from '#server/app.ts'
import { readSecretKey } from '#server/data-folder.ts'
import { messageOf } from '#server/errors.ts'
import { encryptedColumnsOf } from '#server/feature.ts'
import { recountAll } from '#server/features/conversations/reporting/counting.ts'
import { reencrypt } from '#server/platform/crypto/encrypted-columns.ts'
import { checkSecretKey, missingKey } from '#server/platform/crypto/installation-key.ts'
import { createKeyring } from '#server/platform/crypto/keyring.ts'
import { adviceForOperator } from '#server/platform/db/problems.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { checkInstallation } from './check.ts'
import type { Command, Options } from './command.ts'
import { type Companies, closeCompany, listCompanies, suspendCompany } from './companies.ts'
import { type Installation, readSettings, withDb, withInstallation, withNewInstallation } from './installation.ts'
import { makeAdmin, type People, resetPasswordOf, resetSecondFactor, sendTestMail } from './people.ts'
import { promptSql } from './sql.ts'
import { readFileInto, writeFileOf } from './transfer/commands.ts'
import { importCommand } from './transfer/moving-in/command.ts'
import { READERS } from './transfer/moving-in/readers.ts'

/** Runs something that is written to the database, also while the server runs. */
const onDatabase =
  (act: (tools: People & Companies, argument: string, options: Options) => Promise<string>) =>
  (argument: string, options: Options) =>
    withInstallation(async (installation) => {
      const { config } = installation
      console.log(await withDb(installation, (db, jobs) => act({ config, db, jobs }, argument, options)))
    })

const COMMANDS: Record<string, Command> = {
  export: {
    argument: 'FILE',
    summary: 'writes all data into one compressed file; the server may keep running',
    run: (path) => withInstallation((installation) => writeFileOf(installation, path, false)),
  },
  import: {
    argument: 'FILE',
    summary: 'reads such a file into an empty installation',
    run: (path) => withNewInstallation((installation) => readFileInto(installation, path, false)),
  },
  backup: {
    argument: 'FILE',
    summary: 'like export, with the secret key: store it where nobody else can read it',
    run: (path) => withInstallation((installation) => writeFileOf(installation, path, true)),
  },
  restore: {
    argument: 'FILE',
    summary: 'reads a backup into an empty installation, key included',
    run: (path) => withNewInstallation((installation) => readFileInto(installation, path, true)),
  },
  ...Object.fromEntries(READERS.map((reader) => [`import-${reader.id}`, importCommand(reader)])),
  reencrypt: {
    summary: 'encrypts all values again with SECRET_KEY, if they were encrypted with PREVIOUS_SECRET_KEY',
    run: async () => {
      console.log(`Encrypted ${await withInstallation(reencryptAll)} values with the current key.`)
    },
  },
  recount: {
    summary: 'recalculates the sums of reports; the server may keep running',
    run: async () => {
      const count = await withInstallation((installation) => withDb(installation, (db) => recountAll(db)))
      console.log(`Counted the messages of ${count.toLocaleString('en')} conversations.`)
    },
  },
  'reset-password': {
    argument: 'EMAIL',
    summary: 'prints a link to set a new password; the server may keep running',
    run: onDatabase(resetPasswordOf),
  },
  'reset-second-factor': {
    argument: 'EMAIL',
    summary: 'removes a second factor that somebody lost; the server may keep running',
    run: onDatabase(resetSecondFactor),
  },
  'make-admin': {
    argument: 'EMAIL',
    summary: 'makes a user an admin of their account; the server may keep running',
    run: onDatabase(makeAdmin),
  },
  'test-mail': {
    argument: 'EMAIL',
    summary: 'sends a mail with SMTP_URL and prints the response of the mail server',
    run: async (address) => {
      const { config, log } = readSettings()
      console.log(await sendTestMail(config, log, address))
    },
  },
  check: {
    summary: 'checks the settings, the database, the secret key and the file store',
    run: () => withInstallation(checkInstallation),
  },
  companies: {
    summary: 'lists the companies that use this installation',
    run: () => withInstallation((installation) => withDb(installation, listCompanies)),
  },
  'companies suspend': {
    argument: 'COMPANY',
    summary: 'ends the access of a company, by its id or name, and keeps its data',
    run: onDatabase((companies, company) => suspendCompany(companies, company, true)),
  },
  'companies resume': {
    argument: 'COMPANY',
    summary: 'lets a suspended company use the installation again',
    run: onDatabase((companies, company) => suspendCompany(companies, company, false)),
  },
  'companies close': {
    argument: 'COMPANY',
    options: '[--yes]',
    summary: 'deletes a company with all its data, after asking for its name (--yes: without asking)',
    run: onDatabase(closeCompany),
  },
  sql: {
    summary: 'opens a prompt to the database, also while the server runs',
    run: () => withInstallation(promptSql),
  },
  version: {
    summary: 'prints the version of Parley',
    run: async () => console.log(readSettings().config.version),
  },
}

/** As wide as most calls. A longer one has its summary below. */
const WIDTH = 52
const inColumn = (call: string) => (call.length > WIDTH ? `\n${' '.repeat(WIDTH + 3)}` : '')

function describeUsage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { argument = '', options = '', summary }]) => ({
    call: `npm run parley -- ${name} ${argument} ${options}`.trimEnd(),
    summary,
  }))
  return lines.map(({ call, summary }) => `${call.padEnd(WIDTH)}   ${inColumn(call)}${summary}`).join('\n')
}

/** `npm run parley -- export FILE` and the other commands. */
async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        READERS.flatMap(({ ownOptions = {} }) => Object.keys(ownOptions)).map((name) => [
          name,
          { type: 'string' as const },
        ]),
      ),
      account: { type: 'string', multiple: true },
      files: { type: 'string' },
      'files-endpoint': { type: 'string' },
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean' },
    },
  })
  const wordCount = [2, 1].find((count) => Object.hasOwn(COMMANDS, positionals.slice(0, count).join(' '))) ?? 1
  const name = positionals.slice(0, wordCount).join(' ')
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const argument = positionals[wordCount] ?? ''
  const hasWrongOptions = Object.keys(values).some((option) => !command?.options?.includes(`--${option}`))
  if (!command || (command.argument ? !argument : argument) || hasWrongOptions) throw new OperatorError(describeUsage())
  await command.run(argument, values)
}

/** @returns how many values had been encrypted with a previous key */
async function reencryptAll(installation: Installation): Promise<number> {
  const { config } = installation
  const secretKey = await readSecretKey(config)
  if (!secretKey) throw missingKey(config.dataDir)
  const keys = createKeyring(secretKey, config.previousSecretKey)
  return withDb(installation, async (db) => {
    // The first use of the new key stores its id.
    await checkSecretKey(db, keys)
    return reencrypt(db, keys, encryptedColumnsOf([...features, ...integrations]))
  })
}

main().catch((error) => {
  console.error(error instanceof OperatorError ? error.message : (adviceForOperator(error) ?? messageOf(error)))
  process.exitCode = 1
})
