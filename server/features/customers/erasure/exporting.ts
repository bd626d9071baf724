import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { getProfile } from '../customer-profiles/profiles.ts'

/** All data about one customer, for a request by that person. */
export async function exportCustomer(
  { customerData }: Pick<Context, 'customerData'>,
  db: Db,
  account_id: string,
  id: string,
): Promise<Record<string, unknown>> {
  const profile = await getProfile(db, account_id, id, ['company'])
  const customer: Record<string, unknown> = { ...profile }
  const document: Record<string, unknown> = { exported_at: new Date().toISOString(), customer }
  for (const { export: part } of customerData) {
    if ('leftOut' in part) continue
    const into = part.isInCustomer ? customer : document
    into[part.as] = await part.read(db, account_id, profile.id)
  }
  return document
}
