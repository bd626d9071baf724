import { vi } from 'vitest'
import type { MattermostEmulator } from '../emulators/mattermost.ts'
import { expect } from './fixture.ts'
import { TIMEOUT } from './talk.ts'

/** The thread that began with this text, once it contains all of these. */
export function threadWith(mattermost: MattermostEmulator, begin: string, ...texts: string[]) {
  return vi.waitFor(() => {
    const [root] = mattermost.roots().filter(({ message }) => message.includes(begin))
    expect(root).toBeDefined()
    const posts = mattermost.thread(root!.id).map(({ message }) => message)
    for (const text of texts) expect(posts.join('\n')).toContain(text)
    return { root: root!.id, posts }
  }, TIMEOUT)
}
