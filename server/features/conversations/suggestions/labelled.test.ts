import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { savedReplies } from '#contract/conversations/saved-replies.ts'
import { suggestions } from '#contract/conversations/suggestions.ts'
import { articles } from '#contract/help/articles.ts'
import { helpCenter } from '#contract/help/help-center.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

/** What answers, and who would ask for it. The title of a solved conversation is what its customer wrote. */
interface Source {
  kind: 'reply' | 'article' | 'solved'
  title: string
  text: string
  questions: string[]
}

/** Sources by language and name, each with four questions that it answers. */
const labelled: Record<string, Record<string, Source>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'labelled.json'), 'utf8'),
)
const sources = Object.entries(labelled).flatMap(([language, named]) =>
  Object.values(named).map((source) => ({ ...source, language })),
)

/** The other company has nothing but these sources, so that each is recognised by its title. */
const test = base
  .extend('visitors', { scope: 'file' }, async ({ server, world }) => {
    const start = (browser_language: string) => startVisitor(server, world.other.id, { browser_language })
    const languages = Object.keys(labelled)
    return new Map(await Promise.all(languages.map(async (language) => [language, await start(language)] as const)))
  })
  .extend('filled', { scope: 'file' }, async ({ as, server, visitors }) => {
    const help_center = { is_published: true, slug: 'labelled-suggestions', languages: Object.keys(labelled) }
    await as.olga(helpCenter.update, { body: { help_center } })
    for (const { kind, title, text, language } of sources) {
      if (kind === 'reply') {
        await as.olga(savedReplies.create, { body: { canned_response: { name: title, content: text } } })
      } else if (kind === 'article') {
        const { data } = await as.olga(articles.create, { body: { article: { language, title, body: text } } })
        await as.olga(articles.publish, { params: { id: data.id, language }, body: {} })
      } else {
        const { conversation_id } = await startConversation(server, visitors.get(language)!, title)
        await as.olga(messages.create, { body: { message: { conversation_id, body: text } } })
        const params = { id: conversation_id }
        await as.olga(conversations.update, { params, body: { conversation: { status: 'closed' } } })
      }
    }
  })
  .extend('ask', ({ as, server, visitors, filled: _ }) => async (question: string, language: string) => {
    const { conversation_id } = await startConversation(server, visitors.get(language)!, question)
    const { data } = await as.olga(suggestions.get, { params: { id: conversation_id } })
    return {
      reply: data.saved_replies.map(({ name }) => name),
      article: data.articles.map(({ title }) => title),
      solved: data.solved.map(({ asked }) => asked.text),
    }
  })

test('of two hundred questions in six languages nine of ten are met by the right source among three of its kind', {
  timeout: 180_000,
}, async ({ ask }) => {
  const missed: string[] = []
  let [total, first, others] = [0, 0, 0]
  // One source after the other: its questions are asked together.
  for (const { questions, kind, title, language } of sources) {
    const results = await Promise.all(
      questions.map(async (question) => ({ question, names: (await ask(question, language))[kind] })),
    )
    for (const { question, names } of results) {
      total++
      if (names[0] === title) first++
      others += names.filter((name) => name !== title).length
      if (!names.includes(title)) missed.push(`${language} ${kind} “${question}” for “${title}”: ${names.join(', ')}`)
    }
  }
  console.log(
    `Suggestions: ${total - missed.length} of ${total} questions are met, ${first} by the first one of its kind; ` +
      `${others} others are offered of the same kinds`,
  )
  expect(total).toBe(200)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(0.1 * total)
})
