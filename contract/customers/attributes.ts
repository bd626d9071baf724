import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { FilledText, Id, maybe, Text, Timestamp } from '../wire.ts'

/** How many attributes an account may have, of customers and conversations together. */
export const MAX_ATTRIBUTES = 100
/** How many choices an attribute may have. */
export const MAX_CHOICES = 100
/** How many customers or conversations suggestions are read from, the latest ones. */
export const SUGGESTED_FROM = 500

/** What has an attribute. */
export const ATTRIBUTE_SUBJECTS = ['customer', 'conversation'] as const
export const AttributeSubject = z.enum(ATTRIBUTE_SUBJECTS)
export type AttributeSubject = z.output<typeof AttributeSubject>

/** What the values of an attribute are. */
export const ATTRIBUTE_KINDS = ['text', 'number', 'date', 'yes_no', 'choice', 'link'] as const
export const AttributeKind = z.enum(ATTRIBUTE_KINDS)
export type AttributeKind = z.output<typeof AttributeKind>

const Subject = AttributeSubject.check(z.describe('Whose `metadata` has it.'))
const Kind = AttributeKind.check(z.describe('What its values are. A `date` is a day; a `link` begins with `https://`.'))

/** A name and a kind for one key of the metadata of customers or conversations, where its values are. */
export const AttributeDefinition = z.object({
  id: z.string(),
  object: z.literal('attribute_definition'),
  subject: Subject,
  key: z.string().check(z.describe('The key in `metadata`.')),
  name: z.string(),
  kind: Kind,
  choices: z.array(z.string()).check(z.describe('Of a `choice`: what can be chosen, in this order.')),
  position: z.int32().check(z.describe('Attributes are shown in this order.')),
  description: z.nullable(z.string()).check(z.describe('What it means, for the team.')),
  team_only: z
    .boolean()
    .check(z.describe('Whether the website can neither set nor see it. Visitors never see metadata of conversations.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type AttributeDefinition = z.output<typeof AttributeDefinition>

const Choices = z.array(FilledText(100)).check(
  z.maxLength(MAX_CHOICES),
  z.refine(
    (choices) => new Set(choices.map((choice) => choice.toLowerCase())).size === choices.length,
    'has a choice twice',
  ),
)

/** The fields of an attribute that can be changed; those left out stay. Key and kind stay, as values rely on them. */
export const AttributeChanges = z.object({
  name: z.optional(FilledText(100)),
  choices: z
    .optional(Choices)
    .check(z.describe('Of a `choice`; replaces all. Values that are no longer among them stay where they are.')),
  description: maybe(Text(500)).check(z.describe('What it means, for the team.')),
  team_only: z.optional(z.boolean()).check(z.describe('Whether the website can neither set nor see it.')),
})
export type AttributeChanges = z.output<typeof AttributeChanges>

/** Input of creating an attribute. */
export const AttributeDraft = z.extend(AttributeChanges, {
  subject: Subject,
  // Copying such a key would change the object's prototype.
  key: FilledText(100).check(
    z.refine((key) => key !== '__proto__' && !/\p{Cc}/u.test(key), 'is invalid'),
    z.describe('The key in `metadata`: what a website sends already becomes typed by naming it here.'),
  ),
  name: FilledText(100),
  kind: Kind,
})
export type AttributeDraft = z.output<typeof AttributeDraft>

/** A value as it is sent; what it must be like depends on the attribute. */
export const AttributeInput = z.union([Text(20_000), z.number(), z.boolean()])

/** Values by key, of which only those named change; null clears one. The last one wins for each key. */
export const AttributeValues = z.record(Text(100), z.nullable(AttributeInput)).check(
  z.refine((values) => Object.keys(values).length <= MAX_ATTRIBUTES, 'is too large'),
  z.meta({
    examples: [{ plan: 'gold' }],
    description: 'Values by key. Only these attributes change; null clears one.',
  }),
)
export type AttributeValues = z.output<typeof AttributeValues>

/** A key of the metadata that is no attribute yet. */
export const AttributeSuggestion = z.object({
  key: z.string().check(z.describe('The key in `metadata`.')),
  kind: Kind,
  count: z.int32().check(z.describe(`How many of the latest ${SUGGESTED_FROM} have it.`)),
})
export type AttributeSuggestion = z.output<typeof AttributeSuggestion>

/** Attributes of the account changed. Clients fetch the list again. */
export const attributeDefinitionsUpdated = defineEvent('attribute_definitions:updated', {
  receivers: 'team',
  payload: { subject: Subject },
  sends: z.object({ subject: Subject }),
  as: ({ subject }) => ({ subject }),
})

/** Calls about the definitions of attributes. Values are set by `customerProfiles` and `conversations`. */
export const attributes = {
  list: endpoint('user', 'GET', '/api/attribute_definitions', {
    for_functions: true,
    summary: 'Lists the attributes of customers and conversations in their order.',
    answer: data(z.array(AttributeDefinition)),
  }),
  suggestions: endpoint('admin', 'GET', '/api/attribute_definitions/suggestions', {
    summary: `Lists keys in the metadata of the latest ${SUGGESTED_FROM} customers or conversations that are no attributes yet.`,
    query: z.object({ subject: Subject }),
    answer: data(z.array(AttributeSuggestion)),
  }),
  create: endpoint('admin', 'POST', '/api/attribute_definitions', {
    summary: 'Defines an attribute, at the end of the list. Values that are stored under its key become its values.',
    body: z.object({ attribute_definition: AttributeDraft }),
    answer: data(AttributeDefinition),
    status: 201,
  }),
  reorder: endpoint('admin', 'PUT', '/api/attribute_definitions/order', {
    summary: 'Puts attributes into this order. Those that are not named stay behind them, in their order.',
    body: z.object({
      ids: z.array(Id).check(z.maxLength(MAX_ATTRIBUTES), z.describe('Ids of attributes in the wanted order.')),
    }),
    answer: data(z.array(AttributeDefinition)),
  }),
  update: endpoint('admin', 'PUT', '/api/attribute_definitions/:id', {
    summary: 'Changes an attribute, but not its values.',
    body: z.object({ attribute_definition: AttributeChanges }),
    answer: data(AttributeDefinition),
  }),
  remove: endpoint('admin', 'DELETE', '/api/attribute_definitions/:id', {
    summary: 'Deletes an attribute. Its values stay in the metadata.',
    answer: z.null(),
    status: 204,
  }),
}
