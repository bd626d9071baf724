import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Inbox } from '#contract/inboxes.ts'
import { useTeam } from '../../features/accounts/account.ts'
import { installationQuery } from '../../features/inboxes/installation.ts'
import { AddressNotice } from '../../features/widget-settings/AddressNotice.tsx'
import { CopySnippet, Snippet } from '../../features/widget-settings/Snippet.tsx'
import { writeHtml } from '../../features/widget-settings/snippets.ts'
import { publicAddress } from '../../platform/environment.ts'
import styles from './GettingStartedPage.module.css'
import { Waiting } from './Waiting.tsx'

const ASK_EVERY_MS = 2_000

/** The lines for a website, which turn into its address once the chat was opened there. */
export function WebsiteSnippet({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const { data: seen } = useQuery({
    ...installationQuery(inbox.id),
    refetchInterval: ({ state }) => (state.data?.last_seen_at ? false : ASK_EVERY_MS),
  })
  if (!seen) return null
  if (seen.last_seen_at) {
    return <Waiting isOver text={t('widget.installed_on', { host: `${seen.host ?? ''}${seen.pathname ?? ''}` })} />
  }
  const code = writeHtml({ account_id: account.id, inbox_id: inbox.id, base: publicAddress() })
  return (
    <>
      <AddressNotice />
      <p>{t('widget.install_html')}</p>
      <Snippet code={code} />
      <div className={styles.line}>
        <CopySnippet code={code} />
        <Waiting text={t('getting_started.waiting_website')} />
      </div>
    </>
  )
}
