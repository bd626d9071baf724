import { useTranslation } from 'react-i18next'
import { attributeOperators } from '#contract/conversations/attribute-conditions.ts'
import { type RuleCondition, ruleField } from '#contract/conversations/rule-conditions.ts'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { findAttribute } from '../../customers/attributes/find-attribute.ts'
import type { Choices } from './useChoices.ts'

interface KeyProps {
  condition: RuleCondition
  choices: Choices
  onChange: (condition: RuleCondition) => void
}

/** Chooses an attribute, or names another key of the metadata. */
export function KeyField({ condition, choices, onChange }: KeyProps) {
  const { t } = useTranslation()
  const { field, key = '' } = condition
  const subject = ruleField(field).keyOf
  const own = choices.attributes.filter((attribute) => attribute.subject === subject)
  const attribute = findAttribute(choices.attributes, subject, key)
  const choose = (next: string) => {
    const [operator] = attributeOperators(findAttribute(choices.attributes, subject, next)?.kind)
    onChange({ ...condition, key: next, operator: operator!, values: [] })
  }
  return (
    <>
      {own.length > 0 && (
        <Select
          label={t('rules.attribute')}
          hideLabel
          options={[
            ...own.map((attribute) => ({ value: attribute.key, label: attribute.name })),
            { value: '', label: t('rules.other_key') },
          ]}
          value={attribute?.key ?? ''}
          onChange={choose}
        />
      )}
      {!attribute && (
        <TextField
          label={t('rules.key')}
          hideLabel
          placeholder={t('rules.key')}
          value={key}
          onChange={(next) => onChange({ ...condition, key: next })}
        />
      )}
    </>
  )
}
