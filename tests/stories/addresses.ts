import { PAGES } from '../../dashboard/pages.ts'
import { call } from './scene.ts'

/** Ids of existing things, by the named parts of addresses and by their beginnings. */
export type Ids = Record<string, string>

/** Creates one of each thing that a page shows, beside a conversation that exists. */
export async function createThings(
  url: string,
  token: string,
  { conversation_id, customer_id, inbox_id }: Record<'conversation_id' | 'customer_id' | 'inbox_id', string>,
): Promise<Ids> {
  const make = async (path: string, body: object) => (await call(url, 'POST', path, body, token)).data.id as string
  return {
    conversation_id,
    inbox_id,
    view_id: await make('/api/conversation_views', { view: { name: 'Everything' } }),
    '/customers': customer_id,
    '/companies': await make('/api/companies', { company: { name: 'Globex' } }),
    '/tags': await make('/api/tags', { tag: { name: 'to be sorted' } }),
    '/issues': await make('/api/issues', { issue: { title: 'Slow' } }),
    '/help-center': await make('/api/articles', {
      article: { language: 'en', title: 'Returns', body: 'Pack it well.' },
    }),
    '/functions': await make('/api/lambdas', { lambda: { name: 'Echo' } }),
    '/developers': await make('/api/event_subscriptions', {
      event_subscription: { webhook_url: 'https://shop.test/hook', scope: 'all' },
    }),
    bucket: 'all',
    type: 'google',
    '*': 'none',
  }
}

/** The address of a pattern such as `/customers/:id`, with ids of existing things. */
export function addressOf(pattern: string, ids: Ids): string {
  return pattern.replace(/:(\w+)\??|\*/g, (part, name) => {
    const value = ids[name ?? part] ?? ids[`/${pattern.replace('/v1', '').split('/')[1]}`]
    if (!value) throw new Error(`${pattern}: there is no ${part}`)
    return value
  })
}

/** An address of every page that is shown inside the frame of the dashboard. */
export function listAddresses(ids: Ids): string[] {
  // A live session needs a visitor on a website; `live-sessions.story.ts` has them.
  return PAGES.filter(({ alone, paths }) => !alone && !paths[0]!.includes(':session')).map(({ paths }) =>
    addressOf(paths[0]!, ids),
  )
}
