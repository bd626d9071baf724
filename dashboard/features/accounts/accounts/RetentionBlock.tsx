import { useTranslation } from 'react-i18next'
import { Check } from '../../../ui/Check.tsx'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { useTeam } from './account.ts'
import { useEditWords, useSaveAccount } from './saving.ts'

const USUAL_DAYS = 365

/** How long closed conversations are kept. */
export function RetentionBlock() {
  const { t } = useTranslation()
  const { settings } = useTeam().account
  const save = useSaveAccount()
  const saved = { limited: !!settings.retention_days, days: settings.retention_days ?? USUAL_DAYS }
  return (
    <EditBlock
      title={t('retention.title')}
      text={t('retention.text')}
      labels={useEditWords()}
      saved={saved}
      save={({ limited, days }) => save({ settings: { ...settings, retention_days: limited ? days : null } })}
    >
      {({ fields, change, isEditing }) => (
        <>
          <Check
            label={t('retention.limited')}
            checked={fields.limited}
            disabled={!isEditing}
            onChange={(limited) => change({ limited })}
          />
          {fields.limited && (
            <NumberField
              label={t('retention.days')}
              disabled={!isEditing}
              value={fields.days}
              onChange={(days) => change({ days })}
            />
          )}
        </>
      )}
    </EditBlock>
  )
}
