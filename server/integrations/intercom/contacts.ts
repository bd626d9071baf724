import * as z from 'zod/mini'
import type { IntercomContact, IntercomContactDraft } from '#contract/integrations/intercom.ts'
import type { Context } from '../../context.ts'
import { runForCaller, runOnceForCaller, VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { findIdentityByEmail, saveIdentity } from '../../features/connections/external-links/identities.ts'
import { getCustomerId } from '../../features/customers/customers/customers.ts'
import { type IntercomAuthorization, neededIntercom, requestIntercom } from './client.ts'

const Contact = z.looseObject({ id: z.string() })
const Contacts = z.object({ data: z.array(Contact) })
type Contact = z.output<typeof Contact>

/** Contacts with an e-mail address, those with all of these fields, or the first page. */
export async function findContacts(
  context: Context,
  account_id: string,
  fields: Record<string, string | undefined>,
): Promise<IntercomContact[]> {
  const authorization = await neededIntercom(context, account_id)
  const filters = Object.entries(fields).filter((field): field is [string, string] => !!field[1]?.trim())
  return runForCaller(async () => {
    const contacts =
      filters.length > 0 ? await search(context, authorization, filters) : await list(context, authorization)
    const added = contacts.length === 0 && fields.email ? await findAdded(context, authorization, fields.email) : []
    return [...contacts, ...added].map((contact) => withLink(authorization, contact))
  })
}

async function search(context: Context, authorization: IntercomAuthorization, fields: [string, string][]) {
  const conditions = fields.map(([field, value]) => ({ field, operator: '=', value: value.trim() }))
  const query = conditions.length === 1 ? conditions[0] : { operator: 'AND', value: conditions }
  const call = { method: 'POST' as const, path: '/contacts/search', json: { query } }
  return (await requestIntercom(context, authorization, call, Contacts)).data
}

async function list(context: Context, authorization: IntercomAuthorization) {
  return (await requestIntercom(context, authorization, { path: '/contacts?per_page=50' }, Contacts)).data
}

/** The search misses new contacts for minutes, so those added here are fetched by id. */
async function findAdded(context: Context, authorization: IntercomAuthorization, email: string): Promise<Contact[]> {
  const identity = await findIdentityByEmail(context.db, authorization.account_id, 'intercom', email)
  return identity ? readContact(context, authorization, identity.external_id) : []
}

async function readContact(context: Context, authorization: IntercomAuthorization, id: string): Promise<Contact[]> {
  try {
    return [await requestIntercom(context, authorization, { path: `/contacts/${encodeURIComponent(id)}` }, Contact)]
  } catch (error) {
    if (error instanceof VendorRefused && error.status === 404) return []
    throw error
  }
}

/** Adds a contact. If it exists already, that one is returned. */
export async function createContact(
  context: Context,
  account_id: string,
  { customer_id, role = 'user', ...fields }: IntercomContactDraft,
): Promise<IntercomContact> {
  const authorization = await neededIntercom(context, account_id)
  const customer = customer_id ? await getCustomerId(context.db, account_id, customer_id) : null
  const values = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))
  return runOnceForCaller('Intercom', 'The contact may have been added', async () => {
    const contact = await create(context, authorization, { role, ...values })
    // Stored with the customer, so that it is erased together with them.
    if (customer) {
      const email = fields.email?.trim().toLowerCase() ?? null
      const identity = { external_id: contact.id, customer_id: customer, name: fields.name ?? null, email }
      await context.change((tx) => saveIdentity(tx, account_id, { integration: 'intercom', ...identity }))
    }
    return withLink(authorization, contact)
  })
}

async function create(context: Context, authorization: IntercomAuthorization, json: object): Promise<Contact> {
  try {
    return await requestIntercom(context, authorization, { method: 'POST', path: '/contacts', json }, Contact)
  } catch (error) {
    // The error names the existing contact.
    const existing = error instanceof VendorRefused && error.status === 409 && /id=(\w+)/.exec(error.message)?.[1]
    const [contact] = existing ? await readContact(context, authorization, existing) : []
    if (contact) return contact
    throw error
  }
}

function withLink(authorization: IntercomAuthorization, contact: Contact): IntercomContact {
  const { workspace_id, app_url } = authorization.settings
  return {
    ...contact,
    workspace_id: typeof contact.workspace_id === 'string' ? contact.workspace_id : workspace_id,
    intercom_profile_url: workspace_id ? `${app_url}/a/apps/${workspace_id}/users/${contact.id}` : null,
  }
}
