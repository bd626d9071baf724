import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { HelpCenter, HelpCenterChanges } from '#contract/help/help-center.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { helpCenterQuery } from '../articles/queries.ts'
import { AddressBlock } from './AddressBlock.tsx'
import type { BlockProps } from './block-props.ts'
import { ContactBlock } from './ContactBlock.tsx'
import { LanguagesBlock } from './LanguagesBlock.tsx'
import { LegalBlock } from './LegalBlock.tsx'
import { LooksBlock } from './LooksBlock.tsx'
import { saveHelpCenter } from './queries.ts'
import { TransferBlock } from './TransferBlock.tsx'

/** Everything about the help center besides its articles. */
export function HelpSettingsPage() {
  const { t } = useTranslation()
  const center = useQuery(helpCenterQuery)
  return (
    <AdminsOnly>
      <Page title={t('titles.help_settings')} text={t('help.settings_text')}>
        {center.data ? (
          <Settings center={center.data} />
        ) : (
          <QueryView query={center} failed={t('help.settings_failed')} />
        )}
      </Page>
    </AdminsOnly>
  )
}

function Settings({ center }: { center: HelpCenter }) {
  const client = useQueryClient()
  const save = (changes: HelpCenterChanges) =>
    saveHelpCenter(client, changes).catch((error) => {
      showError('Help center not saved', error)
      throw error
    })
  return (
    <>
      <PublicBlock center={center} save={save} />
      <LooksBlock center={center} save={save} />
      <LanguagesBlock center={center} save={save} />
      <AddressBlock center={center} save={save} />
      <ContactBlock center={center} save={save} />
      <LegalBlock center={center} save={save} />
      <TransferBlock />
    </>
  )
}

function PublicBlock({ center, save }: BlockProps) {
  const { t } = useTranslation()
  const { is_published, is_indexed, url } = center
  return (
    <Block title={t('help.visibility')} text={t('help.visibility_text')}>
      <Switch
        label={t('help.is_published')}
        checked={is_published}
        onChange={(next) => void save({ is_published: next }).catch(() => undefined)}
      />
      <Switch
        label={t('help.is_indexed')}
        hint={t('help.is_indexed_hint')}
        checked={is_indexed}
        onChange={(next) => void save({ is_indexed: next }).catch(() => undefined)}
      />
      {is_published && (
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      )}
    </Block>
  )
}
