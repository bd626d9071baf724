import * as z from 'zod/mini'

/** A formatted part of a text. Offset and length count UTF-16 units, as JavaScript does. */
export const Entity = z.object({
  type: z.string(),
  offset: z.int(),
  length: z.int(),
  url: z.optional(z.string()),
  language: z.optional(z.string()),
})
export type Entity = z.output<typeof Entity>

export interface FormattedText {
  text: string
  entities: Entity[]
}
