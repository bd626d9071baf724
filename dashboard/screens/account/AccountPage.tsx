import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { AdminsOnly } from '../../features/accounts/accounts/AdminsOnly.tsx'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { PictureField } from '../../features/accounts/accounts/PictureField.tsx'
import { RemindersBlock } from '../../features/accounts/accounts/RemindersBlock.tsx'
import { RetentionBlock } from '../../features/accounts/accounts/RetentionBlock.tsx'
import { ManagingCustomersBlock, UnsignedIdsBlock } from '../../features/accounts/accounts/RiskBlock.tsx'
import { useCopied, useEditWords, useSaveAccount } from '../../features/accounts/accounts/saving.ts'
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { Block, EditBlock } from '../../ui/EditBlock.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextField } from '../../ui/TextField.tsx'
import styles from './AccountPage.module.css'

const WorkingHoursEditor = lazyComponent(
  async () => (await import('../../features/widget/working-hours/WorkingHoursEditor.tsx')).WorkingHoursEditor,
)
const ClosedDaysEditor = lazyComponent(
  async () => (await import('../../features/widget/working-hours/ClosedDaysEditor.tsx')).ClosedDaysEditor,
)
const CloseAccountBlock = lazyComponent(
  async () => (await import('../../features/accounts/accounts/CloseAccountBlock.tsx')).CloseAccountBlock,
)
const Mails = lazyComponent(async () => (await import('../../features/mail/mails/Mails.tsx')).Mails)

/** Settings of the whole company. */
export function AccountPage() {
  const { t } = useTranslation()
  return (
    <AdminsOnly>
      <Page title={t('account.title')} actions={<Link to="/settings/audit">{t('audit.title')}</Link>}>
        <TokenBlock />
        <DetailsBlock />
        <Block title={t('account.hours')} text={t('account.hours_text')}>
          <Suspense fallback={null}>
            <WorkingHoursEditor />
          </Suspense>
        </Block>
        <Block title={t('hours.closed.title')} text={t('hours.closed.text')}>
          <Suspense fallback={null}>
            <ClosedDaysEditor />
          </Suspense>
        </Block>
        <RemindersBlock />
        <RetentionBlock />
        <ManagingCustomersBlock />
        <UnsignedIdsBlock />
        <Suspense fallback={null}>
          <Mails />
          <CloseAccountBlock />
        </Suspense>
      </Page>
    </AdminsOnly>
  )
}

function TokenBlock() {
  const { t } = useTranslation()
  const { account } = useTeam()
  return (
    <Block title={t('account.token')} text={t('account.token_text')}>
      <CopyField label={t('account.token')} value={account.id} copyLabel={t('copy')} copied={useCopied()} />
    </Block>
  )
}

function DetailsBlock() {
  const { t } = useTranslation()
  const { account } = useTeam()
  const save = useSaveAccount()
  const saved = { company_name: account.company_name, company_logo_url: account.company_logo_url ?? '' }
  return (
    <EditBlock
      title={t('account.details')}
      text={t('account.details_text')}
      labels={useEditWords()}
      saved={saved}
      save={(fields) => save({ ...fields, company_logo_url: fields.company_logo_url.trim() || null })}
    >
      {({ fields, change, isEditing }) => (
        <>
          <TextField
            label={t('account.company_name')}
            disabled={!isEditing}
            value={fields.company_name}
            onChange={(company_name) => change({ company_name })}
          />
          <PictureField
            label={t('account.logo')}
            disabled={!isEditing}
            value={fields.company_logo_url}
            onChange={(company_logo_url) => change({ company_logo_url })}
          />
          <div className={styles.logo}>
            <Avatar id={account.id} name={fields.company_name} photo={fields.company_logo_url || null} size={72} />
            <span>{t('account.logo_preview')}</span>
          </div>
        </>
      )}
    </EditBlock>
  )
}
