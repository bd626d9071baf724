import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { hubspot } from '#contract/integrations/hubspot.ts'
import { intercom } from '#contract/integrations/intercom.ts'
import { call } from '../../../platform/http/api.ts'

/** The systems in which customers are looked up. */
export const DIRECTORIES = ['hubspot', 'intercom'] as const
export type Directory = (typeof DIRECTORIES)[number]

/** Product names. */
export const NAMES: Record<Directory, string> = { hubspot: 'HubSpot', intercom: 'Intercom' }

const key = (directory: Directory, email: string) => ['directory-contacts', directory, email] as const

/** The address of the profile with this email; null if there is none. */
export const profileQuery = (directory: Directory, email: string) =>
  queryOptions({
    queryKey: key(directory, email),
    queryFn: ({ signal }) => findProfile(directory, email, signal),
    // The vendor limits the number of requests.
    staleTime: 10 * 60_000,
    retry: false,
  })

interface Profile {
  href: string | null
}

async function findProfile(directory: Directory, email: string, signal: AbortSignal): Promise<Profile | null> {
  if (directory === 'hubspot') {
    const [contact] = (await call(hubspot.contacts, { query: { email }, signal })).data
    return contact ? { href: contact.hubspot_profile_url } : null
  }
  const [contact] = (await call(intercom.contacts, { query: { email }, signal })).data
  return contact ? { href: contact.intercom_profile_url } : null
}

type Addable = Pick<CustomerProfile, 'id' | 'name' | 'phone' | 'external_id'> & { email: string }

/** Adds a customer in the other system. */
export async function addToDirectory(client: QueryClient, directory: Directory, customer: Addable): Promise<void> {
  const profile = directory === 'hubspot' ? await addToHubspot(customer) : await addToIntercom(customer)
  client.setQueryData(key(directory, customer.email), profile)
}

/** First and last name are the first two words of the name. */
async function addToHubspot({ name, email, phone }: Addable): Promise<Profile> {
  const [first_name, last_name] = (name ?? '').split(' ').filter(Boolean)
  const { data } = await call(hubspot.createContact, { body: { email, phone, first_name, last_name } })
  return { href: data.hubspot_profile_url }
}

async function addToIntercom({ id, name, email, phone, external_id }: Addable): Promise<Profile> {
  const body = { role: 'user' as const, name, email, phone, external_id, customer_id: id }
  return { href: (await call(intercom.createContact, { body })).data.intercom_profile_url }
}
