import { useTranslation } from 'react-i18next'
import { Check } from '../../../ui/Check.tsx'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { useTeam } from './account.ts'
import { useEditWords, useSaveAccount } from './saving.ts'

const USUAL = { hours: 72, most: 3 }

/** When the team is reminded of customers who wait for a reply. */
export function RemindersBlock() {
  const { t } = useTranslation()
  const { settings } = useTeam().account
  const save = useSaveAccount()
  const saved = {
    enabled: settings.conversation_reminders_enabled ?? false,
    hours: settings.conversation_reminder_hours_interval ?? USUAL.hours,
    most: settings.max_num_conversation_reminders ?? USUAL.most,
  }
  const send = ({ enabled, hours, most }: typeof saved) =>
    save({
      settings: {
        ...settings,
        conversation_reminders_enabled: enabled,
        conversation_reminder_hours_interval: hours,
        max_num_conversation_reminders: most,
      },
    })
  return (
    <EditBlock
      title={t('reminders.title')}
      text={t('reminders.text')}
      labels={useEditWords()}
      saved={saved}
      save={send}
    >
      {({ fields, change, isEditing }) => (
        <>
          <Check
            label={t('reminders.enabled')}
            checked={fields.enabled}
            disabled={!isEditing}
            onChange={(enabled) => change({ enabled })}
          />
          <NumberField
            label={t('reminders.hours')}
            disabled={!isEditing}
            value={fields.hours}
            onChange={(hours) => change({ hours })}
          />
          <NumberField
            label={t('reminders.most')}
            disabled={!isEditing}
            value={fields.most}
            onChange={(most) => change({ most })}
          />
        </>
      )}
    </EditBlock>
  )
}
