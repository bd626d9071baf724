import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { findByAddress } from '../../features/connections/authorizations/authorizations.ts'
import { storeInbound } from '../../features/connections/inbound/store-event.ts'

/** Who wrote. Meta sends the user's id, and the number only of people who have shown it. */
const Person = z.object({
  user_id: z.optional(z.string().check(z.maxLength(128))),
  /** Digits with the country code. */
  number: z.optional(z.string().check(z.regex(/^\d{5,20}$/))),
  name: z.optional(z.string()),
})
export type Person = z.output<typeof Person>

/** A message as Meta sends it; the fields of its kind are read later. */
const RawMessage = z.looseObject({
  id: z.string().check(z.maxLength(500)),
  type: z.string().check(z.maxLength(100)),
  timestamp: z.optional(z.string()),
})

const RawStatus = z.looseObject({
  id: z.string().check(z.maxLength(500)),
  status: z.string().check(z.maxLength(50)),
  timestamp: z.optional(z.string()),
  biz_opaque_callback_data: z.optional(z.string()),
  errors: z.optional(z.array(z.looseObject({ code: z.int() }))),
})
export type RawStatus = z.output<typeof RawStatus>

/** A received event. */
export const FromWhatsapp = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), person: Person, message: RawMessage }),
  z.object({ kind: z.literal('status'), status: RawStatus }),
  z.object({ kind: z.literal('preference'), person: Person, value: z.enum(['stop', 'resume']), at: z.string() }),
])
export type FromWhatsapp = z.output<typeof FromWhatsapp>

const Contact = z.looseObject({
  wa_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
  profile: z.optional(z.looseObject({ name: z.optional(z.string()) })),
})
const Sender = z.looseObject({
  from: z.optional(z.string()),
  from_user_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
})
const Preference = z.looseObject({
  wa_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
  value: z.enum(['stop', 'resume']),
  timestamp: z.union([z.string(), z.number()]),
})
const Value = z.looseObject({
  metadata: z.optional(z.looseObject({ phone_number_id: z.string() })),
  contacts: z.optional(z.array(z.unknown())),
  messages: z.optional(z.array(z.unknown())),
  statuses: z.optional(z.array(z.unknown())),
  user_preferences: z.optional(z.array(z.unknown())),
})
const Body = z.looseObject({
  entry: z.array(
    z.looseObject({
      id: z.optional(z.string()),
      changes: z.array(z.looseObject({ field: z.string(), value: z.unknown() })),
    }),
  ),
})

interface CalledEvent {
  /** Meta's id of our number. */
  phone_number_id: string
  key: string
  queue: string
  payload: FromWhatsapp
}

/**
 * Stores what Meta sends before it is answered. Each event belongs to the connection of its number, if that is of an
 * account whose app signed the call. What cannot be read is skipped: Meta would repeat the whole call for a week.
 */
export async function receiveCall(context: Context, body: unknown, signedBy: string[]): Promise<void> {
  const { success, data } = z.safeParse(Body, body)
  if (!success) return
  const events = data.entry.flatMap(({ changes }) => changes.flatMap(({ value }) => readValue(value)))
  for (const [phone_number_id, ofNumber] of Map.groupBy(events, (event) => event.phone_number_id)) {
    const connection = await findByAddress(context.db, 'whatsapp', phone_number_id)
    if (!connection || !signedBy.includes(connection.account_id)) continue
    const { account_id, id: authorization_id } = connection
    await context.change(async (tx) => {
      for (const { key, queue, payload } of ofNumber) {
        await storeInbound(context, tx, {
          account_id,
          integration: 'whatsapp',
          authorization_id,
          key: `${authorization_id} ${key}`,
          queue: `${authorization_id} ${queue}`,
          payload,
        })
      }
    })
  }
}

function readValue(value: unknown): CalledEvent[] {
  const { success, data } = z.safeParse(Value, value)
  if (!success || !data.metadata) return []
  const { phone_number_id } = data.metadata
  const contacts = readAll(Contact, data.contacts)
  const events = [
    ...(data.messages ?? []).flatMap((message) => readMessage(message, contacts)),
    ...readAll(RawStatus, data.statuses).map(readStatus),
    ...readAll(Preference, data.user_preferences).flatMap(readPreference),
  ]
  return events.map((event) => ({ ...event, phone_number_id }))
}

type StoredEvent = Omit<CalledEvent, 'phone_number_id'>

/** States of different messages do not wait for each other. */
function readStatus(status: RawStatus): StoredEvent {
  const { id } = status
  return { key: `status ${id} ${status.status}`, queue: `status ${id}`, payload: { kind: 'status', status } }
}

function readPreference({ wa_id, user_id, value, timestamp }: z.output<typeof Preference>): StoredEvent[] {
  const { success, data: person } = z.safeParse(Person, { user_id, number: wa_id })
  if (!success || !isKnown(person)) return []
  const at = String(timestamp)
  const queue = queueOf(person)
  return [{ key: `preference ${queue} ${at}`, queue, payload: { kind: 'preference', person, value, at } }]
}

function readMessage(input: unknown, contacts: z.output<typeof Contact>[]): StoredEvent[] {
  const [message, sender] = [z.safeParse(RawMessage, input), z.safeParse(Sender, input)]
  if (!message.success || !sender.success) return []
  const { from, from_user_id, user_id: own_user_id } = sender.data
  const contact =
    contacts.find(({ wa_id, user_id }) => (from && wa_id === from) || (from_user_id && user_id === from_user_id)) ??
    (contacts.length === 1 ? contacts[0] : undefined)
  const user_id = from_user_id ?? own_user_id ?? contact?.user_id
  const person = z.safeParse(Person, {
    user_id,
    number: from ?? contact?.wa_id,
    name: contact?.profile?.name?.slice(0, 200),
  })
  if (!person.success || !isKnown(person.data)) return []
  return [
    {
      key: `message ${message.data.id}`,
      queue: queueOf(person.data),
      payload: { kind: 'message', person: person.data, message: message.data },
    },
  ]
}

function isKnown({ user_id, number }: Person): boolean {
  return !!(user_id || number)
}

/** One person's messages are posted one after the other. */
function queueOf({ user_id, number }: Person): string {
  return user_id ?? number ?? ''
}

function readAll<S extends z.ZodMiniType>(schema: S, values: unknown[] = []): z.output<S>[] {
  return values.flatMap((value) => {
    const { success, data } = z.safeParse(schema, value)
    return success ? [data] : []
  })
}
