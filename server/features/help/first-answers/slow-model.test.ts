import { breaksOff, hangs } from '#tests/emulators/chat-model.ts'
import { testWithModel as base, QUESTION } from '#tests/support/first-answers.ts'
import { expect } from '#tests/support/fixture.ts'

const test = base.extend(
  'extra',
  { scope: 'file' },
  { timing: { answerStart: 2_000, answerPause: 1_000, answerTrial: 10_000 } },
)

test.for([
  ['says nothing', hangs()],
  ['stops in the middle of a sentence', hangs('Put it')],
  ['breaks off', breaksOff('Put it into')],
] as const)(
  'a model that %s is not waited for: articles are named, and a person goes on',
  async ([, behaviour], { ask, model, outcomeOf }) => {
    model.usual = behaviour
    const { message_id } = await ask(QUESTION)
    const { articles, ...outcome } = await outcomeOf(message_id)
    expect(outcome).toMatchObject({ kind: 'handed_over', reason: 'no_model' })
    expect(outcome.answer).not.toContain('Put it')
    expect(articles.length).toBeGreaterThan(0)
  },
)
