import type { Conversion } from '../../moving-in/reader.ts'
import { ACCOUNTS } from './accounts.ts'
import { CONVERSATIONS } from './conversations.ts'
import { CUSTOMERS } from './customers.ts'
import { INBOXES } from './inboxes.ts'
import { RECORDS } from './records.ts'

/**
 * What becomes of Papercups' rows, as SQL over the staged tables `old_…`. Ids stay. Rows that exist in Parley already are
 * left as they are, except customers and conversations that changed in Papercups since: so a second import adds what is
 * new. What no statement takes is set aside afterwards.
 */
export const CONVERSIONS: Conversion[] = [...ACCOUNTS, ...INBOXES, ...CUSTOMERS, ...CONVERSATIONS, ...RECORDS]
