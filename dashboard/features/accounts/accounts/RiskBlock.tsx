import { useTranslation } from 'react-i18next'
import type { AccountChanges } from '#contract/accounts/accounts.ts'
import { Check } from '../../../ui/Check.tsx'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { useTeam } from './account.ts'
import { useEditWords, useSaveAccount } from './saving.ts'

interface RiskBlockProps {
  title: string
  text: string
  label: string
  risk: string
  setting: 'trust_unsigned_ids' | 'members_manage_customers'
}

/** An account setting that is off by default, with its risk explained. */
function RiskBlock({ title, text, label, risk, setting }: RiskBlockProps) {
  const { settings } = useTeam().account
  const save = useSaveAccount()
  const saveSwitch = (isOn: boolean) => {
    const changed: AccountChanges['settings'] = { ...settings, [setting]: isOn }
    return save({ settings: changed })
  }
  return (
    <EditBlock
      title={title}
      text={text}
      labels={useEditWords()}
      saved={{ isOn: settings[setting] === true }}
      save={({ isOn }) => saveSwitch(isOn)}
    >
      {({ fields, change, isEditing }) => (
        <Check
          label={label}
          hint={risk}
          checked={fields.isOn}
          disabled={!isEditing}
          onChange={(isOn) => change({ isOn })}
        />
      )}
    </EditBlock>
  )
}

/** Whether unsigned external ids match customers whom the team or an import added. */
export function UnsignedIdsBlock() {
  const { t } = useTranslation()
  return (
    <RiskBlock
      setting="trust_unsigned_ids"
      title={t('unsigned_ids.title')}
      text={t('unsigned_ids.text')}
      label={t('unsigned_ids.trusted')}
      risk={t('unsigned_ids.risk')}
    />
  )
}

/** Whether members may export and delete customers, as admins do. */
export function ManagingCustomersBlock() {
  const { t } = useTranslation()
  return (
    <RiskBlock
      setting="members_manage_customers"
      title={t('managing_customers.title')}
      text={t('managing_customers.text')}
      label={t('managing_customers.members')}
      risk={t('managing_customers.risk')}
    />
  )
}
