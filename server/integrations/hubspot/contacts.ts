import * as z from 'zod/mini'
import type { HubspotContact, HubspotContactDraft } from '#contract/integrations/hubspot.ts'
import type { Context } from '../../context.ts'
import { runForCaller, runOnceForCaller, VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { type HubspotAuthorization, neededHubspot, requestHubspot } from './client.ts'

const PATH = '/crm/v3/objects/contacts'
const PROPERTIES = ['email', 'firstname', 'lastname', 'phone', 'company', 'website']
const AT_ONCE = 100

const Contact = z.looseObject({
  id: z.string(),
  properties: z.optional(z.record(z.string(), z.nullable(z.string()))),
})
const Contacts = z.object({ results: z.array(Contact) })

/** HubSpot's names of the fields that existing clients send. */
const NAMES: Record<string, string> = { first_name: 'firstname', last_name: 'lastname' }

function propertiesOf(fields: Record<string, string | null | undefined>): Record<string, string> {
  const filters = Object.entries(fields).filter((field): field is [string, string] => !!field[1]?.trim())
  return Object.fromEntries(filters.map(([name, value]) => [NAMES[name] ?? name, value.trim()]))
}

/** The contact with an e-mail address, those with all of these fields, or the first hundred. */
export async function findContacts(
  context: Context,
  account_id: string,
  fields: Record<string, string | undefined>,
): Promise<HubspotContact[]> {
  const authorization = await neededHubspot(context, account_id)
  const properties = propertiesOf(fields)
  return runForCaller(async () => {
    const contacts = properties.email
      ? await findByEmail(context, authorization, properties.email)
      : await search(context, authorization, properties)
    return contacts.map((contact) => withLink(authorization, contact))
  })
}

/** Adds a contact. If one with that e-mail address exists, it is returned. */
export async function createContact(
  context: Context,
  account_id: string,
  fields: HubspotContactDraft,
): Promise<HubspotContact> {
  const authorization = await neededHubspot(context, account_id)
  const properties = propertiesOf(fields)
  const call = { method: 'POST' as const, path: PATH, json: { properties } }
  return runOnceForCaller('HubSpot', 'The contact may have been added', async () => {
    const added = await requestHubspot(context, authorization, call, Contact).catch(async (error: unknown) => {
      const existing = await findTaken(context, authorization, error, properties.email)
      if (existing) return existing
      throw error
    })
    return withLink(authorization, added)
  })
}

/** Looked up directly first, because the search finds new contacts only after a while. */
async function findByEmail(context: Context, authorization: HubspotAuthorization, email: string) {
  const query = new URLSearchParams({ idProperty: 'email', properties: PROPERTIES.join(',') })
  const path = `${PATH}/${encodeURIComponent(email)}?${query}`
  try {
    return [await requestHubspot(context, authorization, { path }, Contact)]
  } catch (error) {
    if (error instanceof VendorRefused && error.status === 404) return []
    throw error
  }
}

async function search(context: Context, authorization: HubspotAuthorization, properties: Record<string, string>) {
  const filters = Object.entries(properties).map(([propertyName, value]) => ({ propertyName, operator: 'EQ', value }))
  if (filters.length === 0) {
    const query = new URLSearchParams({ limit: String(AT_ONCE), properties: PROPERTIES.join(',') })
    return (await requestHubspot(context, authorization, { path: `${PATH}?${query}` }, Contacts)).results
  }
  const json = { filterGroups: [{ filters }], properties: PROPERTIES, limit: AT_ONCE }
  const call = { method: 'POST' as const, path: `${PATH}/search`, json }
  return (await requestHubspot(context, authorization, call, Contacts)).results
}

/** The existing contact that caused the conflict. */
async function findTaken(
  context: Context,
  authorization: HubspotAuthorization,
  error: unknown,
  email: string | undefined,
): Promise<z.output<typeof Contact> | undefined> {
  if (!(error instanceof VendorRefused && error.status === 409)) return undefined
  const id = /Existing ID: (\d+)/.exec(error.message)?.[1]
  const path = id ? `${PATH}/${id}?properties=${PROPERTIES.join(',')}` : undefined
  if (path) return requestHubspot(context, authorization, { path }, Contact).catch(() => undefined)
  return email ? (await findByEmail(context, authorization, email))[0] : undefined
}

function withLink({ settings }: HubspotAuthorization, contact: z.output<typeof Contact>): HubspotContact {
  const portal = settings.portal_id
  return {
    ...contact,
    hubspot_profile_url: portal ? `https://app.hubspot.com/contacts/${portal}/contact/${contact.id}` : null,
  }
}
