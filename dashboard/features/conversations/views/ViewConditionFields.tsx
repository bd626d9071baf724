import { useTranslation } from 'react-i18next'
import { attributeOperators, DATED, NUMERIC, VALUELESS } from '#contract/conversations/attribute-conditions.ts'
import {
  VIEW_FIELD_NAMES,
  type ViewCondition,
  type ViewConditions,
  type ViewOperator,
  viewField,
  viewOperatorsOf,
} from '#contract/conversations/view-conditions.ts'
import { MultiSelect } from '../../../ui/MultiSelect.tsx'
import { Select } from '../../../ui/Select.tsx'
import { findAttribute } from '../../customers/attributes/find-attribute.ts'
import { ConditionLists } from '../conditions/ConditionLists.tsx'
import { FieldLine } from '../conditions/FieldLine.tsx'
import { comparesOne, OneValueField } from '../conditions/OneValueField.tsx'
import { DurationField } from './DurationField.tsx'
import { attributeCondition, firstCondition } from './draft.ts'
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
  return (
    <fieldset className={styles.conditions}>
      <legend>{t('saved_views.shows')}</legend>
      {conditions.length === 0 && <p className={styles.quiet}>{t('saved_views.everything')}</p>}
      <ConditionLists
        conditions={conditions}
        onChange={onChange}
        texts={{
          and: t('saved_views.and'),
          or: t('saved_views.or'),
          addOr: t('saved_views.add_or'),
          add: t('saved_views.add_condition'),
        }}
        added={{ or: firstCondition('tags'), and: firstCondition('assignee') }}
      >
        {(condition, joint, change) => <ConditionRow {...{ condition, choices, joint }} onChange={change} />}
      </ConditionLists>
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
  const { field, key } = condition
  // Attributes can be chosen once there are some.
  const fields = VIEW_FIELD_NAMES.filter((name) => {
    const { keyOf } = viewField(name)
    return !keyOf || name === field || choices.attributes.some(({ subject }) => subject === keyOf)
  })
  return (
    <FieldLine joint={joint} removeLabel={t('saved_views.remove')} remove={() => onChange(undefined)}>
      <Select
        label={t('saved_views.field')}
        hideLabel
        options={fields.map((name) => ({ value: name, label: t(`saved_views.fields.${name}`) }))}
        value={field}
        onChange={(next) => onChange(firstCondition(next, choices.attributes))}
      />
      {key !== undefined && <AttributeSelect condition={condition} choices={choices} onChange={onChange} />}
      <OperatorSelect condition={condition} choices={choices} onChange={onChange} />
      <ValueField condition={condition} choices={choices} onChange={(values) => onChange({ ...condition, values })} />
    </FieldLine>
  )
}

interface PartProps {
  condition: ViewCondition
  choices: ViewChoices
  onChange: (condition: ViewCondition) => void
}

/** Chooses an attribute; one that was deleted stays until another is chosen. */
function AttributeSelect({ condition: { field, key }, choices, onChange }: PartProps) {
  const { t } = useTranslation()
  const { keyOf } = viewField(field)
  const options = choices.attributes
    .filter(({ subject }) => subject === keyOf)
    .map((attribute) => ({ value: attribute.key, label: attribute.name }))
  const isDeleted = !!key && !options.some(({ value }) => value === key)
  return (
    <Select
      label={t('saved_views.attribute')}
      hideLabel
      options={isDeleted ? [...options, { value: key, label: `${key} (${t('saved_views.deleted')})` }] : options}
      value={key}
      onChange={(next) => onChange(attributeCondition(field, findAttribute(choices.attributes, keyOf, next)))}
    />
  )
}

function OperatorSelect({ condition, choices, onChange }: PartProps) {
  const { t } = useTranslation()
  const { field, operator, key } = condition
  const attribute = findAttribute(choices.attributes, viewField(field).keyOf, key)
  const fitting = key === undefined ? viewOperatorsOf(field) : attributeOperators(attribute?.kind)
  // Programs may compare otherwise, and so do views of a deleted attribute.
  const operators = fitting.includes(operator) ? fitting : [...fitting, operator]
  const choose = (next: ViewOperator) => {
    const isComparedAlike = [VALUELESS, NUMERIC, DATED].every((list) => list.includes(next) === list.includes(operator))
    onChange({ ...condition, operator: next, values: isComparedAlike ? condition.values : [] })
  }
  return (
    <Select
      label={t('saved_views.operator')}
      hideLabel
      options={operators.map((name) => ({ value: name, label: t(`saved_views.operators.${name}`) }))}
      value={operator}
      onChange={choose}
    />
  )
}

interface ValueProps {
  condition: ViewCondition
  choices: ViewChoices
  onChange: (values: string[]) => void
}

/** Several values of which one is enough, chosen or typed; or a time, a number or a day. */
function ValueField({ condition: { field, operator, values, key }, choices, onChange }: ValueProps) {
  const { t } = useTranslation()
  const { kind } = viewField(field)
  if (VALUELESS.includes(operator)) return null
  if (kind === 'duration') {
    return <DurationField key={field} minutes={values[0] ?? ''} onChange={(minutes) => onChange([minutes])} />
  }
  if (comparesOne(operator)) {
    return (
      <OneValueField key={`${field} ${operator}`} label={t('saved_views.value')} {...{ operator, values, onChange }} />
    )
  }
  const options = choices.of(field, key)
  const deleted = values.filter((value) => options && !options.some((option) => option.value === value))
  return (
    <MultiSelect
      key={`${field} ${key ?? ''}`}
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
