import { useTranslation } from 'react-i18next'
import { Check } from '../../ui/Check.tsx'
import { EditBlock } from '../../ui/EditBlock.tsx'
import { useTeam } from './account.ts'
import { useEditWords, useSaveAccount } from './saving.ts'

/** Whether ids that no website has signed find customers whom the team or an import added. */
export function UnsignedIdsBlock() {
  const { t } = useTranslation()
  const { settings } = useTeam().account
  const save = useSaveAccount()
  return (
    <EditBlock
      title={t('unsigned_ids.title')}
      text={t('unsigned_ids.text')}
      words={useEditWords()}
      saved={{ trusted: settings.trust_unsigned_ids === true }}
      save={({ trusted }) => save({ settings: { ...settings, trust_unsigned_ids: trusted } })}
    >
      {({ fields, change, isEditing }) => (
        <Check
          label={t('unsigned_ids.trusted')}
          hint={t('unsigned_ids.risk')}
          checked={fields.trusted}
          disabled={!isEditing}
          onChange={(trusted) => change({ trusted })}
        />
      )}
    </EditBlock>
  )
}
