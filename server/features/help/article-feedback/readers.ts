import { createHash, createHmac } from 'node:crypto'
import type { Config } from '../../../config.ts'
import type { Caller } from '../../../platform/caller.ts'

const purpose = 'reader of the help centre'

/**
 * Stands for a customer among votes and reads. Only this installation can compute it, so a copy of the table names
 * nobody, and what a customer left can still be erased.
 */
export function readerOfCustomer(
  { secretKey }: Pick<Config, 'secretKey'>,
  account_id: string,
  customer_id: string,
): Buffer {
  return createHmac('sha256', secretKey!)
    .update(JSON.stringify([purpose, account_id, customer_id]))
    .digest()
}

/** Stands for a reader: of a visitor their customer, otherwise the network and browser of one day. */
export function readerOf(
  config: Pick<Config, 'secretKey'>,
  account_id: string,
  caller: Caller,
  browser: string | undefined,
): Buffer {
  if (caller.kind === 'visitor' && caller.account_id === account_id) {
    return readerOfCustomer(config, account_id, caller.customer_id)
  }
  const day = new Date().toISOString().slice(0, 10)
  const anonymous = createHash('sha256')
    .update(`${caller.address} ${browser ?? ''}`)
    .digest('base64')
  return createHmac('sha256', config.secretKey!)
    .update(JSON.stringify([purpose, account_id, day, anonymous]))
    .digest()
}
