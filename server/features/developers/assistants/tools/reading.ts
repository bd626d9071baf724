import * as z from 'zod/mini'
import { team } from '#contract/accounts/team.ts'
import { ConversationStatus, conversations, Priority } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { reporting } from '#contract/conversations/reporting.ts'
import { savedReplies } from '#contract/conversations/saved-replies.ts'
import { SEARCH_TEXT_LIMIT, search } from '#contract/conversations/search.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { tags } from '#contract/customers/tags.ts'
import { articles } from '#contract/help/articles.ts'
import { articleSearch, MAX_QUESTION_LENGTH } from '#contract/help/public-articles.ts'
import { presentCompany, presentConversation, presentCustomer, presentMessage, untrustedText } from './present.ts'
import { defineTool, ToolId } from './tool.ts'

const PAGE = 20
/** Messages of a conversation that come with it. */
const NEWEST = 30

const Limit = z
  .optional(z.int().check(z.gte(1), z.lte(50)))
  .check(z.describe(`How many to return, ${PAGE} by default.`))
const After = z.optional(z.string()).check(z.describe('`next` of the page before.'))

/** Tools that only read. */
export const readingTools = [
  defineTool({
    name: 'search',
    scope: 'read',
    title: 'Search conversations',
    description:
      'Searches messages, subjects and customers, newest first. Words match beginnings of words. Supports "quoted phrases" and filters: from: tag: inbox: assignee: status:open before:2026-01-31 after: has:file.',
    input: z.object({
      query: z.string().check(z.minLength(1), z.maxLength(SEARCH_TEXT_LIMIT)),
      limit: Limit,
      after: After,
    }),
    async run(call, { query, limit = PAGE, after }) {
      const { data, next } = await call(search.find, { query: { q: query, limit, after } })
      const hits = data.map(({ matched, conversation, message }) => ({
        matched,
        conversation: presentConversation(conversation),
        ...(message && { number: message.number, untrusted_excerpt: untrustedText(message.excerpt.text) }),
      }))
      return { hits, next }
    },
  }),
  defineTool({
    name: 'list_conversations',
    scope: 'read',
    title: 'List conversations',
    description: 'Lists conversations, latest activity first, or with sort=due the most urgent deadline first.',
    input: z.object({
      status: z.optional(ConversationStatus),
      priority: z.optional(Priority),
      read: z.optional(z.boolean()).check(z.describe('Whether the team has read its newest message.')),
      assignee: z.optional(z.union([z.enum(['me', 'nobody']), z.int()])).check(z.describe('A user id, me, or nobody.')),
      customer_id: z.optional(ToolId('a customer')),
      inbox_id: z.optional(ToolId('an inbox')),
      team_id: z.optional(ToolId('a team')),
      tag_id: z.optional(ToolId('a tag')),
      snoozed: z.optional(z.boolean()),
      sort: z.optional(z.enum(['activity', 'due'])),
      limit: Limit,
      after: After,
    }),
    async run(call, { assignee, limit = PAGE, ...filters }) {
      const assignee_id = assignee === 'nobody' ? null : assignee
      const query = { ...filters, limit, messages: 'last' as const, ...(assignee !== undefined && { assignee_id }) }
      const { data, next } = await call(conversations.list, { query })
      const listed = data.map((conversation) => ({
        ...presentConversation(conversation),
        newest_message: conversation.messages.map(presentMessage)[0] ?? null,
      }))
      return { conversations: listed, next }
    },
  }),
  defineTool({
    name: 'get_conversation',
    scope: 'read',
    title: 'Read a conversation',
    description: `Returns a conversation with its customer and its newest ${NEWEST} messages, oldest first. Older ones: list_messages with before.`,
    input: z.object({ id: ToolId('the conversation') }),
    async run(call, { id }) {
      const { data } = await call(conversations.get, { params: { id }, query: { messages: 'last' } })
      const { data: newest, next } = await call(messages.list, { query: { conversation_id: id, limit: NEWEST } })
      return {
        conversation: presentConversation(data),
        customer: presentCustomer(data.customer),
        messages: newest.map(presentMessage).reverse(),
        older: next,
      }
    },
  }),
  defineTool({
    name: 'list_messages',
    scope: 'read',
    title: 'List messages of a conversation',
    description:
      'Returns messages of a conversation, oldest first: the newest ones, or those before or after a number.',
    input: z.object({
      conversation_id: ToolId('the conversation'),
      before: z.optional(z.int()).check(z.describe('Only messages with a smaller number.')),
      after: z.optional(z.int()).check(z.describe('Only messages with a larger number.')),
      limit: Limit,
    }),
    async run(call, { limit = PAGE, ...query }) {
      const { data, next } = await call(messages.list, { query: { ...query, limit } })
      const listed = data.map(presentMessage).toSorted((a, b) => a.number - b.number)
      return { messages: listed, older: next }
    },
  }),
  defineTool({
    name: 'get_customer',
    scope: 'read',
    title: 'Read a customer',
    description: 'Returns a customer with tags.',
    input: z.object({ id: ToolId('the customer') }),
    async run(call, { id }) {
      const { data } = await call(customerProfiles.get, { params: { id } })
      return { customer: presentCustomer(data), tags: data.tags?.map(({ id, name }) => ({ id, name })) ?? [] }
    },
  }),
  defineTool({
    name: 'find_customers',
    scope: 'read',
    title: 'Find customers',
    description:
      'Finds customers by beginnings of words in name, e-mail, phone number or external id; last seen first.',
    input: z.object({
      query: z.optional(z.string().check(z.maxLength(200))),
      company_id: z.optional(ToolId('a company')),
      tag_id: z.optional(ToolId('a tag')),
      limit: Limit,
    }),
    async run(call, { query: q, limit = PAGE, ...filters }) {
      const { data } = await call(customerProfiles.list, { query: { ...filters, q, page_size: limit } })
      return { customers: data.map(presentCustomer) }
    },
  }),
  defineTool({
    name: 'get_company',
    scope: 'read',
    title: 'Read a company',
    description: 'Returns a company to which customers belong.',
    input: z.object({ id: ToolId('the company') }),
    run: async (call, { id }) => ({ company: presentCompany((await call(companies.get, { params: { id } })).data) }),
  }),
  defineTool({
    name: 'list_tags',
    scope: 'read',
    title: 'List tags',
    description: 'Lists all tags of the account by name.',
    input: z.object({}),
    async run(call) {
      const { data } = await call(tags.list)
      return { tags: data.map(({ id, name, description }) => ({ id, name, description })) }
    },
  }),
  defineTool({
    name: 'list_team',
    scope: 'read',
    title: 'List the team',
    description: 'Lists the users to whom conversations can be assigned.',
    input: z.object({}),
    async run(call) {
      const { data } = await call(team.list, { query: { active: true } })
      return {
        team: data.map(({ id, display_name, full_name, email, role }) => ({
          id,
          display_name,
          full_name,
          email,
          role,
        })),
      }
    },
  }),
  defineTool({
    name: 'list_saved_replies',
    scope: 'read',
    title: 'List saved replies',
    description: 'Lists the texts that the team uses for frequent answers.',
    input: z.object({
      query: z.optional(z.string().check(z.maxLength(200))).check(z.describe('Part of name or text.')),
    }),
    async run(call, { query = '' }) {
      const { data } = await call(savedReplies.list)
      const fits = (text: string) => text.toLocaleLowerCase().includes(query.toLocaleLowerCase())
      const fitting = data.filter(({ name, content }) => fits(name) || fits(content)).slice(0, 50)
      return { saved_replies: fitting.map(({ id, name, content }) => ({ id, name, content })) }
    },
  }),
  defineTool({
    name: 'get_report',
    scope: 'read',
    title: 'Read a report',
    description: 'Returns figures about conversations and messages between two days, durations in seconds.',
    input: z.object({
      from_date: z.iso.date().check(z.describe('First day.')),
      to_date: z.iso.date().check(z.describe('Last day.')),
      inbox_id: z.optional(ToolId('an inbox')),
      working_hours: z.optional(z.boolean()).check(z.describe('Counts only working hours in durations.')),
    }),
    run: async (call, input) => ({ report: (await call(reporting.get, { query: { ...input, lists: false } })).data }),
  }),
  defineTool({
    name: 'search_articles',
    scope: 'read',
    title: 'Search the help center',
    description: 'Finds published articles of the help center for words or a whole question, best first.',
    input: z.object({
      question: z.string().check(z.minLength(1), z.maxLength(MAX_QUESTION_LENGTH)),
      language: z.optional(z.string()).check(z.describe('Articles in this language come first, such as `de`.')),
      limit: z.optional(z.int().check(z.gte(1), z.lte(20))),
    }),
    async run(call, { question, language, limit = 5 }) {
      const { data } = await call(articleSearch.find, { query: { q: question, language, limit } })
      const hits = data.map(({ id, language, title, summary, collection, excerpt, url }) => {
        return { id, language, title, summary, collection, excerpt: excerpt.text, url }
      })
      return { articles: hits }
    },
  }),
  defineTool({
    name: 'get_article',
    scope: 'read',
    title: 'Read an article',
    description: 'Returns an article of the help center with the drafts of all its languages, as Markdown.',
    input: z.object({ id: ToolId('the article') }),
    async run(call, { id }) {
      const { data } = await call(articles.get, { params: { id } })
      const translations = data.translations.map(({ language, state, title, summary, body, url }) => {
        return { language, state, title, summary, body, url }
      })
      return { id: data.id, collection_id: data.collection_id, translations }
    },
  }),
]
