import { INTEGRATION_NAMES, type IntegrationName, kindOf } from '#contract/connections/kinds.ts'

/** An integration in the list of integrations. The chat is none, but people look for it there. */
export interface Entry {
  integration: IntegrationName | 'chat'
  section: 'source' | 'reply' | 'account'
  isPopular: boolean
  /** A path below the inbox, or a full path for the account's integrations. */
  path: string
}

/** All integrations, in display order. */
export const CATALOGUE: readonly Entry[] = [
  { integration: 'chat', section: 'source', isPopular: true, path: 'chat-widget' },
  ...INTEGRATION_NAMES.map((integration) => {
    const { section, path, isPopular = false } = kindOf(integration)
    return { integration, section, path, isPopular }
  }),
]

/** The path of its settings, of an inbox or of the account. */
export function pathOf({ section, path }: Entry, inbox_id: string | undefined): string {
  return section === 'account' ? path : inbox_id ? `/inboxes/${inbox_id}/${path}` : '/inboxes'
}
