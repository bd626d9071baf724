import type { Conversion } from '../../moving-in/reader.ts'
import { ACCOUNTS } from './accounts.ts'
import { ATTRIBUTES } from './attributes.ts'
import { CONVERSATIONS } from './conversations.ts'
import { CUSTOMERS } from './customers.ts'
import { FILES } from './files.ts'
import { INBOXES } from './inboxes.ts'
import { MAILS } from './mails.ts'
import { MESSAGES } from './messages.ts'
import { PICTURES } from './pictures.ts'
import { RECORDS } from './records.ts'
import { TEAMS } from './teams.ts'

/**
 * What becomes of Chatwoot's rows, as SQL over the staged tables `old_…` and the tables of `prepare/`. Rows that exist in
 * Parley already are left as they are, except customers and conversations that changed in Chatwoot since: so a second
 * import adds what is new. What no statement takes is set aside afterwards.
 */
export const CONVERSIONS: Conversion[] = [
  ...ACCOUNTS,
  ...INBOXES,
  ...TEAMS,
  ...ATTRIBUTES,
  ...CUSTOMERS,
  ...CONVERSATIONS,
  ...MESSAGES,
  ...FILES,
  ...PICTURES,
  ...MAILS,
  ...RECORDS,
]
