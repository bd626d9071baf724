import { Resolver } from 'node:dns/promises'
import type { HelpCenter } from '#contract/help/help-center.ts'
import type { Config } from '../../../config.ts'
import { Invalid } from '../../../errors.ts'

const TIMEOUT_MS = 3_000
const TRIES = 2

/** What DNS answers for a name without such records. */
const NOTHING = ['ENOTFOUND', 'ENODATA']

interface Claim {
  account_id: string
  domain: string | null
}

/**
 * The TXT record by which the owner of a domain allows an account to use it. A CNAME to this installation would not say
 * which of its companies is meant.
 */
export function domainRecord({ account_id, domain }: Claim): HelpCenter['domain_record'] {
  return domain === null ? null : { name: `_parley.${domain}`, value: `parley-account=${account_id}` }
}

/**
 * Asks DNS for the record.
 * @throws Invalid with what is missing
 */
export async function assertProven({ dnsServers }: Pick<Config, 'dnsServers'>, claim: Claim): Promise<void> {
  const record = domainRecord(claim)
  if (!record) throw new Invalid({ domain: ['is not set. Enter the domain first.'] })
  const texts = await readTexts(dnsServers, record.name)
  if (texts.includes(record.value)) return
  const seen = texts.length > 0 ? `has another text: ${texts[0]!.slice(0, 100)}` : 'was not found'
  throw new Invalid({
    domain: [`is not verified yet: the TXT record ${record.name} ${seen}. New records can take an hour to be seen.`],
  })
}

async function readTexts(servers: string[], name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join('').trim())
  } catch (error) {
    if (NOTHING.includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw new Invalid({ domain: ['could not be checked, because its name servers did not answer. Try again later.'] })
  }
}
