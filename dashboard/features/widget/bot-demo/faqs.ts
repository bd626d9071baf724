import { MAX_SAMPLE_ARTICLES, MAX_SAMPLE_TEXT, MAX_SAMPLE_TITLE } from '#contract/help/public-articles.ts'

/** A question with its answer: the title and the text of an article in the sample help center. */
export interface Faq {
  id: string
  question: string
  answer: string
}

const KEY = 'parley.bot_demo_faqs'

/** The pairs that the bot starts with. */
export const SEEDED: readonly Faq[] = [
  {
    id: 'pricing',
    question: 'How much does it cost?',
    answer: 'The first 2 users are free. After that, the price is $40 a month for up to 10 users.',
  },
  {
    id: 'product',
    question: 'What is Parley?',
    answer: 'Parley is a live chat for your website and an inbox in which your whole team answers.',
  },
  {
    id: 'install',
    question: 'How do I install the chat widget?',
    answer: 'Copy the snippet from the settings of your inbox and paste it into the head of your website.',
  },
  {
    id: 'looks',
    question: 'Can I change the colors and texts of the widget?',
    answer: 'Yes: title, subtitle, color, greeting and more are chosen in the settings, with a live preview.',
  },
  {
    id: 'slack',
    question: 'Does it work with Slack?',
    answer: 'Yes, messages can be sent to a Slack channel, and your team replies in their threads.',
  },
  {
    id: 'hosting',
    question: 'Can I host it myself?',
    answer: 'Yes. It is made to run on your own server, with everything it needs included.',
  },
  {
    id: 'human',
    question: 'How do I talk to a person?',
    answer: 'Write your question in the chat, and somebody of the team answers as soon as they are back.',
  },
]

/** The pairs stored in this browser, or the initial ones, within what the search accepts. */
export function readFaqs(): Faq[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return Array.isArray(stored) ? stored.filter(isFaq).map(fit).slice(0, MAX_SAMPLE_ARTICLES) : [...SEEDED]
  } catch {
    return [...SEEDED]
  }
}

/** Stores the pairs for the next visit, where the browser allows it. */
export function storeFaqs(faqs: readonly Faq[]) {
  try {
    localStorage.setItem(KEY, JSON.stringify(faqs))
  } catch {
    console.warn('The training pairs are not kept: this browser forbids storage.')
  }
}

/** Both question and answer are required. */
export function isComplete({ question, answer }: Omit<Faq, 'id'>): boolean {
  return question.trim() !== '' && answer.trim() !== ''
}

function isFaq(value: unknown): value is Faq {
  const { id, question, answer } = Object(value) as Partial<Faq>
  return [id, question, answer].every((part) => typeof part === 'string' && part.trim() !== '')
}

function fit({ id, question, answer }: Faq): Faq {
  return { id, question: question.slice(0, MAX_SAMPLE_TITLE), answer: answer.slice(0, MAX_SAMPLE_TEXT) }
}
