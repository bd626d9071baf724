import { useTranslation } from 'react-i18next'
import { attributeOperators, VALUELESS } from '#contract/conversations/attribute-conditions.ts'
import {
  operatorsOf,
  RULE_FIELD_NAMES,
  type RuleCondition,
  type RuleConditions,
  type RuleFieldName,
  ruleField,
} from '#contract/conversations/rule-conditions.ts'
import type { RuleTriggerName } from '#contract/conversations/rule-triggers.ts'
import { MultiSelect } from '../../../ui/MultiSelect.tsx'
import { Select } from '../../../ui/Select.tsx'
import { findAttribute } from '../../customers/attributes/find-attribute.ts'
import { ConditionLists } from '../conditions/ConditionLists.tsx'
import { FieldLine } from '../conditions/FieldLine.tsx'
import { comparesOne, OneValueField } from '../conditions/OneValueField.tsx'
import { KeyField } from './KeyField.tsx'
import styles from './Rules.module.css'
import type { Choices } from './useChoices.ts'

interface FieldsProps {
  trigger: RuleTriggerName
  conditions: RuleConditions
  choices: Choices
  onChange: (conditions: RuleConditions) => void
}

/** Conditions that all must hold; to each of them others can be added of which one is enough. */
export function ConditionFields({ trigger, conditions, choices, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.part}>
      <legend>{t('rules.if')}</legend>
      {conditions.length === 0 && <p className={styles.quiet}>{t('rules.always')}</p>}
      <ConditionLists
        conditions={conditions}
        onChange={onChange}
        texts={{ and: t('rules.and'), or: t('rules.or'), addOr: t('rules.add_or'), add: t('rules.add_condition') }}
        added={{ or: firstOf('tags'), and: firstOf('inbox') }}
      >
        {(condition, joint, change) => <ConditionRow {...{ trigger, condition, choices, joint }} onChange={change} />}
      </ConditionLists>
    </fieldset>
  )
}

function firstOf(field: RuleFieldName): RuleCondition {
  return { field, operator: operatorsOf(field)[0]!, values: [], ...(ruleField(field).keyOf && { key: '' }) }
}

interface RowProps {
  trigger: RuleTriggerName
  condition: RuleCondition
  choices: Choices
  joint: string | undefined
  /** Undefined removes it. */
  onChange: (condition: RuleCondition | undefined) => void
}

function ConditionRow({ trigger, condition, choices, joint, onChange }: RowProps) {
  const { t } = useTranslation()
  const { field, operator, key } = condition
  const attribute = findAttribute(choices.attributes, ruleField(field).keyOf, key)
  const fitting = key === undefined ? operatorsOf(field) : attributeOperators(attribute?.kind)
  // A rule that was made before its attribute may compare otherwise.
  const operators = fitting.includes(operator) ? fitting : [...fitting, operator]
  const fields = RULE_FIELD_NAMES.filter((name) => ruleField(name).only?.includes(trigger) ?? true)
  const choose = (next: RuleCondition['operator']) =>
    onChange({ ...condition, operator: next, values: VALUELESS.includes(next) ? [] : condition.values })
  return (
    <FieldLine joint={joint} removeLabel={t('rules.remove')} remove={() => onChange(undefined)}>
      <Select
        label={t('rules.field')}
        hideLabel
        options={fields.map((name) => ({ value: name, label: t(`rules.fields.${name}`) }))}
        value={field}
        onChange={(next) => onChange(firstOf(next))}
      />
      {key !== undefined && <KeyField condition={condition} choices={choices} onChange={onChange} />}
      <Select
        label={t('rules.operator')}
        hideLabel
        options={operators.map((name) => ({ value: name, label: t(`rules.operators.${name}`) }))}
        value={operator}
        onChange={choose}
      />
      <ValueField condition={condition} choices={choices} onChange={(values) => onChange({ ...condition, values })} />
    </FieldLine>
  )
}

interface ValueProps {
  condition: RuleCondition
  choices: Choices
  onChange: (values: string[]) => void
}

/** Several values of which one is enough: chosen, or typed and separated by commas. */
function ValueField({ condition: { field, operator, values, key }, choices, onChange }: ValueProps) {
  const { t } = useTranslation()
  if (VALUELESS.includes(operator)) return null
  if (comparesOne(operator)) return <OneValueField label={t('rules.value')} {...{ operator, values, onChange }} />
  const options = choices.of(field, key)
  return (
    <MultiSelect
      label={t('rules.value')}
      hideLabel
      placeholder={t(options ? 'rules.choose' : 'rules.type')}
      options={options ?? []}
      allowsNew={!options}
      value={values}
      onChange={onChange}
    />
  )
}
