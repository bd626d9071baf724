import { useTranslation } from 'react-i18next'
import { isWait, RULE_TRIGGERS, type RuleTrigger, type RuleTriggerName } from '#contract/conversations/rule-triggers.ts'
import { Check } from '../../../ui/Check.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { Select } from '../../../ui/Select.tsx'
import lineStyles from '../conditions/FieldLine.module.css'
import styles from './Rules.module.css'

const TWO_HOURS = 120

interface FieldsProps {
  trigger: RuleTrigger
  onChange: (trigger: RuleTrigger) => void
}

/** What starts the rule, and for waits how long. */
export function TriggerFields({ trigger, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.part}>
      <legend>{t('rules.when')}</legend>
      <div className={lineStyles.fields}>
        <Select
          label={t('rules.when')}
          hideLabel
          options={RULE_TRIGGERS.map((on) => ({ value: on, label: t(`rules.triggers.${on}`) }))}
          value={trigger.on}
          onChange={(on) => onChange(triggerOf(on))}
        />
        {isWait(trigger) && (
          <>
            <NumberField
              label={t('rules.how_long')}
              hideLabel
              hint={t('rules.how_long')}
              value={trigger.minutes}
              onChange={(minutes) => onChange({ ...trigger, minutes })}
            />
            <Check
              label={t('rules.in_working_hours')}
              checked={trigger.in_working_hours}
              onChange={(in_working_hours) => onChange({ ...trigger, in_working_hours })}
            />
          </>
        )}
      </div>
    </fieldset>
  )
}

function triggerOf(on: RuleTriggerName): RuleTrigger {
  return on === 'waiting_for_team' || on === 'waiting_for_customer' || on === 'open_since'
    ? { on, minutes: TWO_HOURS, in_working_hours: true }
    : { on }
}
