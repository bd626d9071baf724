import { LONG_BODY } from '../moving-in/long-bodies.ts'
import type { Reader, Step } from '../moving-in/reader.ts'
import { openApiSource } from './api/source.ts'
import { CHECKS } from './checks.ts'
import { FILES_QUERY } from './convert/files.ts'
import { CONVERSIONS } from './convert/index.ts'
import { keepSecret } from './ids.ts'
import { prepareKnownBrowsers } from './known-browsers.ts'
import { LEFT_OUT } from './left-out.ts'
import { prepare } from './prepare/index.ts'
import { addRemarks } from './remarks.ts'
import { addIdentitySecrets, addTwoFactors } from './secrets.ts'
import { moveSetUp } from './setup/setting-up.ts'
import { TABLES } from './tables.ts'

/** Moves people from Chatwoot. */
export const chatwoot: Reader = {
  id: 'chatwoot',
  name: 'Chatwoot',
  ownOptions: { storage: 'FOLDER', inboxes: 'shared', activities: 'notes|none' },
  openApi: openApiSource,
  tables: TABLES,
  required: ['accounts', 'account_users', 'contacts', 'conversations', 'messages', 'inboxes'],
  leftOut: LEFT_OUT,
  prepare,
  conversions: CONVERSIONS,
  finish,
  checks: CHECKS,
  queries: {
    accounts: 'select account_id as id from moved_accounts',
    longBodies: `select m.account_id, m.id as message_id, s.body from said s join messages m on m.account_id = s.account_id and m.id = s.message_id
      where length(s.body) > ${LONG_BODY}`,
    files: FILES_QUERY,
    largestUserNumber: 'select max(id) from old_users where id < 2000000000',
    remarks: 'select line from remarks order by n',
  },
  secrets: ['encrypted_password', 'otp_secret', 'hmac_token'],
}

async function finish(step: Step): Promise<void> {
  const { client } = step
  const { rows } = await client.query<{ secret: string }>(`select current_setting('parley.import_secret') as secret`)
  await keepSecret(step, rows[0]!.secret)
  await addTwoFactors(step)
  await addIdentitySecrets(step)
  await prepareKnownBrowsers(step)
  await moveSetUp(step)
  await addRemarks(client)
}
