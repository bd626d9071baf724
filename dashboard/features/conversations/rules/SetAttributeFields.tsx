import { useTranslation } from 'react-i18next'
import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import { Select } from '../../../ui/Select.tsx'
import { AttributeField } from '../../customers/attributes/AttributeField.tsx'
import { findAttribute } from '../../customers/attributes/find-attribute.ts'
import type { Choices } from './useChoices.ts'

interface AttributeProps {
  action: Extract<ConversationAction, { action: 'set_attribute' }>
  choices: Choices
  onChange: (action: ConversationAction) => void
}

/** Chooses an attribute of conversations and its value. */
export function SetAttributeFields({ action, choices, onChange }: AttributeProps) {
  const { t } = useTranslation()
  const own = choices.attributes.filter(({ subject }) => subject === 'conversation')
  const attribute = findAttribute(choices.attributes, 'conversation', action.key)
  return (
    <>
      <Select
        label={t('rules.attribute')}
        hideLabel
        options={own.map(({ key, name }) => ({ value: key, label: name }))}
        placeholder={t('rules.choose')}
        value={attribute?.key}
        onChange={(key) => onChange({ ...action, key, value: null })}
      />
      {attribute && (
        <AttributeField
          label={t('rules.value')}
          hideLabel
          attribute={attribute}
          value={String(action.value ?? '')}
          onChange={(value) => onChange({ ...action, value: value || null })}
        />
      )}
    </>
  )
}
