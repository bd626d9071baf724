import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#server/platform/operator-error.ts'
import { createOutbound } from '#server/platform/outbound/outbound.ts'
import type { ApiOptions } from '../../moving-in/reader.ts'
import { RowFiles } from '../../moving-in/row-files.ts'
import type { Source } from '../../moving-in/source.ts'
import { createStaged } from '../../moving-in/staging.ts'
import { type ChatwootApi, createApi } from './client.ts'
import { AccountReading } from './reading.ts'
import { KnownNames, type Memory } from './unit-rows.ts'

/**
 * Reads an account by Chatwoot's API, for those who cannot reach its database: what the API gives, one account at a time.
 * @throws OperatorError if no administrator's token is set, or it is refused
 */
export async function openApiSource(
  address: string,
  { accounts, token = process.env.CHATWOOT_API_TOKEN, reachableHosts, folder, onProgress }: ApiOptions,
): Promise<Source> {
  if (!token) {
    throw new OperatorError(
      'Set CHATWOOT_API_TOKEN to the access token of an administrator (in Chatwoot: Profile settings, at the end of the page), and run the import again.',
    )
  }
  const origin = new URL(address).origin
  const outbound = createOutbound(reachableHosts)
  let files: RowFiles | undefined
  try {
    const profile = createApi(outbound, `${origin}/api/v1`, token)
    const id = await chooseAccount(profile, accounts)
    const unitFolder = join(folder, createHash('sha256').update(`${origin} ${id}`).digest('hex').slice(0, 16))
    const knownNames = new KnownNames()
    files = await RowFiles.open(unitFolder, (memory) => knownNames.add(memory as Memory))
    const api = createApi(outbound, `${origin}/api/v1/accounts/${id}`, token)
    const reading = new AccountReading(api, id, files, knownNames)
    // Ids of Chatwoot count from 1 on each server; this tells them apart.
    await files.add('ar_internal_metadata', [{ key: 'address', value: origin }])
    await reading.read(onProgress)
    await files.finish()
    return sourceOf(files, unitFolder, reading.unreadable)
  } catch (error) {
    await files?.finish()
    await files?.remove()
    throw error
  } finally {
    await outbound.close()
  }
}

function sourceOf(files: RowFiles, unitFolder: string, unreadable: number[]): Source {
  return {
    async stage(target, tables) {
      await createStaged(target, tables)
      await files.stage(target)
      return {
        tables: new Set(files.counts.keys()),
        counts: files.counts,
        repaired: new Map(),
        remarks: remarksOn(unreadable),
      }
    },
    async close(isMoved) {
      await files.remove()
      if (isMoved) await rm(unitFolder, { recursive: true, force: true })
    },
  }
}

function remarksOn(unreadable: number[]): string[] {
  const remarks = [
    'This was read by the API: passwords, second factors, mentions, companies, and people who left are not to be had by it. Everybody sets a new password by “Forgot your password?”.',
  ]
  if (unreadable.length > 0) {
    remarks.push(
      `The old server could not show the messages of ${unreadable.length === 1 ? '1 conversation' : `${unreadable.length} conversations`}: ${unreadable.join(', ')}.`,
    )
  }
  return remarks
}

async function chooseAccount(api: ChatwootApi, wanted: string[]): Promise<number> {
  const profile = await api.get('profile')
  const accounts: { id: number; name: string; role: string }[] = profile?.accounts ?? []
  const named = wanted.length > 0 ? accounts.filter(({ id }) => wanted.includes(String(id))) : accounts
  const [account] = named
  if (named.length !== 1 || wanted.length > 1) {
    const list = accounts.map(({ id, name }) => `${id} (${name})`).join(', ')
    throw new OperatorError(
      `The API is read one account at a time. Name its number (--account); this token opens: ${list || 'none'}.`,
    )
  }
  if (account!.role !== 'administrator') {
    throw new OperatorError(
      `The token is not one of an administrator of ${account!.name}, so it would not show everything. Use an administrator’s.`,
    )
  }
  return account!.id
}
