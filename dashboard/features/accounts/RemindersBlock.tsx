import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditBlock, LabelledField } from '../../ui/EditBlock.tsx'
import styles from './AccountPage.module.css'
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
  const [fields, setFields] = useState(saved)
  const change = (changes: Partial<typeof saved>) => setFields((before) => ({ ...before, ...changes }))
  const send = () =>
    save({
      settings: {
        ...settings,
        conversation_reminders_enabled: fields.enabled,
        conversation_reminder_hours_interval: fields.hours,
        max_num_conversation_reminders: fields.most,
      },
    })
  return (
    <EditBlock
      title={t('reminders.title')}
      text={t('reminders.text')}
      words={useEditWords()}
      save={send}
      reset={() => setFields(saved)}
    >
      {(isEditing) => (
        <>
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={fields.enabled}
              disabled={!isEditing}
              onChange={(event) => change({ enabled: event.target.checked })}
            />
            {t('reminders.enabled')}
          </label>
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
