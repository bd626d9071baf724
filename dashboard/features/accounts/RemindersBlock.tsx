import { useTranslation } from 'react-i18next'
import { Check } from '../../ui/Check.tsx'
import { EditBlock, LabelledField } from '../../ui/EditBlock.tsx'
import { useTeam } from './account.ts'
import { useEditWords, useSaveAccount } from './saving.ts'
import { WholeNumber } from './WholeNumber.tsx'

const USUAL = { hours: 72, most: 3 }

/** When the team is reminded of customers who wait. */
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
    <EditBlock title={t('reminders.title')} text={t('reminders.text')} words={useEditWords()} saved={saved} save={send}>
      {({ fields, change, isEditing }) => (
        <>
          <Check
            label={t('reminders.enabled')}
            checked={fields.enabled}
            disabled={!isEditing}
            onChange={(enabled) => change({ enabled })}
          />
          <LabelledField label={t('reminders.hours')}>
            <WholeNumber disabled={!isEditing} value={fields.hours} onChange={(hours) => change({ hours })} />
          </LabelledField>
          <LabelledField label={t('reminders.most')}>
            <WholeNumber disabled={!isEditing} value={fields.most} onChange={(most) => change({ most })} />
          </LabelledField>
        </>
      )}
    </EditBlock>
  )
}
