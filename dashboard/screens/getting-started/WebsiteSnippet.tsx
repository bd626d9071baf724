import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Inbox } from '#contract/widget/inboxes.ts'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { installationQuery } from '../../features/widget/inboxes/installation.ts'
import { AddressNotice } from '../../features/widget/widget-settings/AddressNotice.tsx'
import { writeHtml } from '../../features/widget/widget-settings/snippets.ts'
import { publicAddress } from '../../platform/environment.ts'
import { CodeSnippet, CopyCode } from '../../ui/CodeSnippet.tsx'
import styles from './GettingStartedPage.module.css'
import { StepStatus } from './StepStatus.tsx'

const ASK_EVERY_MS = 2_000

/** The code for a website, replaced by the site's address once the chat was opened there. */
export function WebsiteSnippet({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const { data: seen } = useQuery({
    ...installationQuery(inbox.id),
    refetchInterval: ({ state }) => (state.data?.last_seen_at ? false : ASK_EVERY_MS),
  })
  if (!seen) return null
  if (seen.last_seen_at) {
    return <StepStatus isDone text={t('widget.installed_on', { host: `${seen.host ?? ''}${seen.pathname ?? ''}` })} />
  }
  const code = writeHtml({ account_id: account.id, inbox_id: inbox.id, base: publicAddress() })
  return (
    <>
      <AddressNotice />
      <p>{t('widget.install_html')}</p>
      <CodeSnippet code={code} label={t('widget.snippet')} />
      <div className={styles.line}>
        <CopyCode code={code} label={t('widget.copy')} copied={t('widget.copied')} notCopied={t('widget.not_copied')} />
        <StepStatus text={t('getting_started.waiting_website')} />
      </div>
    </>
  )
}
