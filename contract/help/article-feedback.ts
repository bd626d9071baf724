import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { CountParameter, Id, Text, Timestamp } from '../wire.ts'

/**
 * What a help center lacks: a search that found nothing, an article that did not help, or one that somebody read and
 * then wrote anyway.
 */
export const GapKind = z.enum(['no_hits', 'not_helpful', 'read_then_wrote'])
export type GapKind = z.output<typeof GapKind>

/** `open` waits for an author. One that is `done` opens again when it happens again; an `ignored` one does not. */
export const GapState = z.enum(['open', 'done', 'ignored'])
export type GapState = z.output<typeof GapState>

const state = z.describe('`open`; `done`, which opens again when it happens again; or `ignored`.')

/** Something that an author should look at. */
export const HelpGap = z.object({
  id: z.string(),
  object: z.literal('help_gap'),
  kind: GapKind.check(z.describe('`no_hits`: a search; `not_helpful` and `read_then_wrote`: an article.')),
  language: z.string().check(z.describe('The language of the reader.')),
  words: z
    .nullable(z.string())
    .check(z.describe('What was searched, without addresses and numbers; null for articles.')),
  article: z
    .nullable(
      z.object({
        id: z.string(),
        title: z.string().check(z.describe('Its heading in the language of the reader, or the default language.')),
      }),
    )
    .check(z.describe('The article; null for searches.')),
  count: z.int32().check(z.describe('How often it happened since it was last done.')),
  comments: z.array(z.string()).check(z.describe('What readers said about the article, newest first, at most 20.')),
  state: GapState.check(state),
  last_at: Timestamp.check(z.describe('When it happened last.')),
})
export type HelpGap = z.output<typeof HelpGap>

/** Calls about what is missing in the help center. */
export const helpGaps = {
  list: endpoint('user', 'GET', '/api/help_gaps', {
    summary: 'Lists what is missing, the most frequent first, at most 200.',
    query: z.object({
      kind: z.optional(GapKind).check(z.describe('Only this kind.')),
      state: z.optional(GapState).check(z.describe('By default `open`.')),
      q: z.optional(Text(200)).check(z.describe('Part of the words that were searched.')),
      limit: CountParameter,
    }),
    answer: data(z.array(HelpGap)),
  }),
  update: endpoint('user', 'PUT', '/api/help_gaps/:id', {
    summary: 'Marks it as done, ignored or open again.',
    params: z.object({ id: Id }),
    body: z.object({ gap: z.object({ state: GapState.check(state) }) }),
    answer: data(HelpGap),
  }),
}
