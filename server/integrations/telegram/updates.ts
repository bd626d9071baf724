import * as z from 'zod/mini'
import { Entity } from './entities.ts'

// What Telegram sends, as far as it is read here. Unknown fields are kept out, and unknown kinds are named.

const User = z.object({
  id: z.int(),
  is_bot: z.optional(z.boolean()),
  first_name: z.optional(z.string()),
  last_name: z.optional(z.string()),
  username: z.optional(z.string()),
})
export type TelegramUser = z.output<typeof User>

const Chat = z.object({ id: z.int(), type: z.string(), title: z.optional(z.string()) })

const Sized = {
  file_id: z.string(),
  file_size: z.optional(z.number()),
  mime_type: z.optional(z.string()),
  file_name: z.optional(z.string()),
}
export const Attached = z.object(Sized)
const PhotoSize = z.object({ ...Sized, width: z.number(), height: z.number() })
const Location = z.object({ latitude: z.number(), longitude: z.number(), live_period: z.optional(z.number()) })

const Quoted = z.object({
  message_id: z.int(),
  text: z.optional(z.string()),
  caption: z.optional(z.string()),
})

export const TelegramMessage = z.looseObject({
  message_id: z.int(),
  from: z.optional(User),
  chat: Chat,
  date: z.int(),
  edit_date: z.optional(z.int()),
  text: z.optional(z.string()),
  entities: z.optional(z.array(Entity)),
  caption: z.optional(z.string()),
  caption_entities: z.optional(z.array(Entity)),
  media_group_id: z.optional(z.string()),
  photo: z.optional(z.array(PhotoSize)),
  document: z.optional(Attached),
  audio: z.optional(Attached),
  voice: z.optional(Attached),
  video: z.optional(Attached),
  video_note: z.optional(Attached),
  animation: z.optional(Attached),
  sticker: z.optional(
    z.object({
      ...Sized,
      emoji: z.optional(z.string()),
      is_animated: z.optional(z.boolean()),
      is_video: z.optional(z.boolean()),
    }),
  ),
  location: z.optional(Location),
  venue: z.optional(z.object({ title: z.string(), address: z.string(), location: Location })),
  contact: z.optional(
    z.object({
      phone_number: z.string(),
      first_name: z.string(),
      last_name: z.optional(z.string()),
      user_id: z.optional(z.int()),
      vcard: z.optional(z.string()),
    }),
  ),
  reply_to_message: z.optional(Quoted),
  quote: z.optional(z.object({ text: z.string() })),
  external_reply: z.optional(z.looseObject({})),
  forward_origin: z.optional(
    z.object({
      sender_user: z.optional(User),
      sender_user_name: z.optional(z.string()),
      sender_chat: z.optional(z.object({ title: z.optional(z.string()) })),
      chat: z.optional(z.object({ title: z.optional(z.string()) })),
    }),
  ),
})
export type TelegramMessage = z.output<typeof TelegramMessage>

const MemberChange = z.object({
  chat: Chat,
  from: User,
  date: z.int(),
  new_chat_member: z.object({ status: z.string() }),
})
export type MemberChange = z.output<typeof MemberChange>

/** Whatever is sent besides is not asked for. */
export const WANTED_UPDATES = ['message', 'edited_message', 'my_chat_member'] as const

export const Update = z.object({
  update_id: z.int(),
  message: z.optional(TelegramMessage),
  edited_message: z.optional(TelegramMessage),
  my_chat_member: z.optional(MemberChange),
})
export type Update = z.output<typeof Update>

/** An update as it arrives. Only what decides about storing it is read: the rest may be of any form. */
export const RawUpdate = z.looseObject({ update_id: z.int() })
export type RawUpdate = z.output<typeof RawUpdate>

/** The chat of an update, in which updates keep their order. */
export function chatOf({ message, edited_message, my_chat_member }: Record<string, unknown>): string {
  const about = z.safeParse(z.object({ chat: z.object({ id: z.int() }) }), message ?? edited_message ?? my_chat_member)
  return about.success ? String(about.data.chat.id) : ''
}
