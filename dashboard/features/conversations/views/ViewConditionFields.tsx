import { useTranslation } from 'react-i18next'
import {
  VIEW_FIELD_NAMES,
  type ViewCondition,
  type ViewConditions,
  viewField,
  viewOperatorsOf,
} from '#contract/conversations/view-conditions.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { MultiSelect } from '../../../ui/MultiSelect.tsx'
import { Select } from '../../../ui/Select.tsx'
import { DurationField } from './DurationField.tsx'
import { firstCondition, withList } from './draft.ts'
import type { ViewChoices } from './useViewChoices.ts'
import styles from './ViewConditionFields.module.css'

interface FieldsProps {
  conditions: ViewConditions
  choices: ViewChoices
  onChange: (conditions: ViewConditions) => void
}

/** Conditions that all must hold; to each of them others can be added of which one is enough. */
export function ViewConditionFields({ conditions, choices, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const replace = (at: number, list: ViewCondition[]) => onChange(withList(conditions, at, list))
  return (
    <fieldset className={styles.conditions}>
      <legend>{t('saved_views.shows')}</legend>
      {conditions.length === 0 && <p className={styles.quiet}>{t('saved_views.everything')}</p>}
      {conditions.map((list, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity than their index.
        <div key={at} className={styles.list}>
          {at > 0 && <span className={styles.joint}>{t('saved_views.and')}</span>}
          {list.map((condition, index) => (
            <ConditionRow
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              key={index}
              condition={condition}
              choices={choices}
              joint={index > 0 ? t('saved_views.or') : undefined}
              onChange={(next) =>
                replace(
                  at,
                  list.flatMap((one, other) => (other === index ? (next ?? []) : one)),
                )
              }
            />
          ))}
          <Button variant="text" size="small" onClick={() => replace(at, [...list, firstCondition('tags')])}>
            {t('saved_views.add_or')}
          </Button>
        </div>
      ))}
      <Button size="small" onClick={() => onChange([...conditions, [firstCondition('assignee')]])}>
        {t('saved_views.add_condition')}
      </Button>
    </fieldset>
  )
}

interface RowProps {
  condition: ViewCondition
  choices: ViewChoices
  joint: string | undefined
  /** Undefined removes it. */
  onChange: (condition: ViewCondition | undefined) => void
}

function ConditionRow({ condition, choices, joint, onChange }: RowProps) {
  const { t } = useTranslation()
  const { field, operator } = condition
  return (
    <div className={styles.row}>
      {joint && <span className={styles.joint}>{joint}</span>}
      <div className={styles.fields}>
        <Select
          label={t('saved_views.field')}
          hideLabel
          options={VIEW_FIELD_NAMES.map((name) => ({ value: name, label: t(`saved_views.fields.${name}`) }))}
          value={field}
          onChange={(next) => onChange(firstCondition(next))}
        />
        <Select
          label={t('saved_views.operator')}
          hideLabel
          options={viewOperatorsOf(field).map((name) => ({ value: name, label: t(`saved_views.operators.${name}`) }))}
          value={operator}
          onChange={(next) => onChange({ ...condition, operator: next })}
        />
        <ValueField condition={condition} choices={choices} onChange={(values) => onChange({ ...condition, values })} />
      </div>
      <IconButton icon="trash" label={t('saved_views.remove')} onClick={() => onChange(undefined)} />
    </div>
  )
}

interface ValueProps {
  condition: ViewCondition
  choices: ViewChoices
  onChange: (values: string[]) => void
}

/** Several values of which one is enough, chosen or typed; or a time. */
function ValueField({ condition: { field, values }, choices, onChange }: ValueProps) {
  const { t } = useTranslation()
  const { kind } = viewField(field)
  if (kind === 'yes_or_no') return null
  if (kind === 'duration') {
    return <DurationField key={field} minutes={values[0] ?? ''} onChange={(minutes) => onChange([minutes])} />
  }
  const options = choices(field)
  const deleted = values.filter((value) => options && !options.some((option) => option.value === value))
  return (
    <MultiSelect
      key={field}
      label={t('saved_views.value')}
      hideLabel
      placeholder={t(options ? 'saved_views.choose' : 'saved_views.type')}
      options={[...(options ?? []), ...deleted.map((value) => ({ value, label: t('saved_views.deleted') }))]}
      allowsNew={!options}
      value={values}
      onChange={onChange}
    />
  )
}
