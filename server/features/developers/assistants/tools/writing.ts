import * as z from 'zod/mini'
import { ConversationStatus, conversations, Priority } from '#contract/conversations/conversations.ts'
import { drafts } from '#contract/conversations/drafts.ts'
import { MESSAGE_BODY_LIMIT, messages } from '#contract/conversations/messages.ts'
import { scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { issues } from '#contract/customers/issues.ts'
import { tags } from '#contract/customers/tags.ts'
import { presentConversation, presentCustomer } from './present.ts'
import { defineTool, ToolId } from './tool.ts'

const Body = z.string().check(z.minLength(1), z.maxLength(MESSAGE_BODY_LIMIT), z.describe('Markdown.'))
const text = (limit: number) => z.optional(z.nullable(z.string().check(z.maxLength(limit))))

/** Tools that change what only the team sees, or what can be undone. */
export const writingTools = [
  defineTool({
    name: 'save_draft',
    scope: 'write',
    title: 'Save a draft',
    description:
      'Puts a text into the composer of a conversation, for its user to read, change and send. Replaces the draft that is there.',
    input: z.object({ conversation_id: ToolId('the conversation'), body: Body }),
    async run(call, { conversation_id: id, body }) {
      const { data } = await call(drafts.get, { params: { id } })
      const revision = Math.max(Date.now(), (data?.revision ?? 0) + 1)
      await call(drafts.save, { params: { id }, body: { draft: { body, type: 'reply', revision } } })
      return { saved: true }
    },
  }),
  defineTool({
    name: 'add_note',
    scope: 'write',
    title: 'Add a private note',
    description: 'Adds a note to a conversation, which only the team sees.',
    input: z.object({ conversation_id: ToolId('the conversation'), body: Body }),
    async run(call, { conversation_id, body }) {
      const message = { conversation_id, body, type: 'note' as const, private: true }
      const { data } = await call(messages.create, { body: { message } })
      return { id: data.id, number: data.number }
    },
  }),
  defineTool({
    name: 'update_conversation',
    scope: 'write',
    title: 'Update a conversation',
    description:
      'Changes status, priority, assignee or team of a conversation, or snoozes it. Fields that are left out stay.',
    input: z.object({
      id: ToolId('the conversation'),
      status: z.optional(ConversationStatus),
      priority: z.optional(Priority),
      assignee_id: z.optional(z.nullable(z.int())).check(z.describe('A user id; null for nobody.')),
      team_id: z.optional(z.nullable(z.guid())).check(z.describe('Null for none.')),
      snoozed_until: z
        .optional(z.nullable(z.iso.datetime({ offset: true })))
        .check(z.describe('Null ends the snooze.')),
    }),
    async run(call, { id, snoozed_until, ...changes }) {
      const snoozed = snoozed_until === undefined ? {} : { snoozed: snoozed_until && { until: snoozed_until } }
      const { data } = await call(conversations.update, {
        params: { id },
        body: { conversation: { ...changes, ...(snoozed as { snoozed?: { until: string } | null }) } },
      })
      return { conversation: presentConversation(data) }
    },
  }),
  defineTool({
    name: 'tag_conversation',
    scope: 'write',
    title: 'Tag a conversation',
    description: 'Adds tags to a conversation, or removes them. Tags are created by people: see list_tags.',
    input: z.object({
      id: ToolId('the conversation'),
      add: z.optional(z.array(ToolId('a tag')).check(z.maxLength(20))),
      remove: z.optional(z.array(ToolId('a tag')).check(z.maxLength(20))),
    }),
    async run(call, { id, add = [], remove = [] }) {
      for (const tag_id of add) await call(tags.addToConversation, { params: { id }, body: { tag_id } })
      for (const tag_id of remove) await call(tags.removeFromConversation, { params: { id, tag_id } })
      return { added: add.length, removed: remove.length }
    },
  }),
  defineTool({
    name: 'update_customer',
    scope: 'write',
    title: 'Update a customer',
    description: 'Changes name, phone number or company of a customer. Fields that are left out stay.',
    input: z.object({
      id: ToolId('the customer'),
      name: text(200),
      phone: text(50),
      company_id: z.optional(z.nullable(z.guid())).check(z.describe('Null for none.')),
    }),
    async run(call, { id, ...customer }) {
      const { data } = await call(customerProfiles.update, { params: { id }, body: { customer } })
      return { customer: presentCustomer(data) }
    },
  }),
  defineTool({
    name: 'create_issue',
    scope: 'write',
    title: 'Create an issue',
    description: 'Records a problem of the product, and links the customer who waits for it.',
    input: z.object({
      title: z.string().check(z.minLength(1), z.maxLength(200)),
      body: text(5000),
      customer_id: z.optional(ToolId('the customer')),
    }),
    async run(call, issue) {
      const { data } = await call(issues.create, { body: { issue } })
      return { id: data.id, state: data.state }
    },
  }),
  defineTool({
    name: 'send_reply',
    scope: 'send',
    title: 'Reply to the customer',
    description:
      'Writes a reply to the customer. Unless the account allows more, it waits in the conversation until a person presses Send. Fails with the missed messages if the customer has written meanwhile.',
    input: z.object({
      id: z
        .uuidv4()
        .check(z.describe('A new UUID, chosen by you. Repeating a call with the same one sends nothing twice.')),
      conversation_id: ToolId('the conversation'),
      body: Body,
      last_seen_number: z.int().check(z.describe('Number of the newest message that you have read.')),
    }),
    async run(call, reply, { may_send }) {
      if (!may_send) {
        await call(scheduledMessages.suggest, { body: { suggestion: reply } })
        return { state: 'waits for a person who presses Send' }
      }
      const { data } = await call(messages.create, { body: { message: { ...reply, type: 'reply' } } })
      return { state: 'sent', number: data.number }
    },
  }),
]
