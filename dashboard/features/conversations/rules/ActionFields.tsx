import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConversationAction, ConversationActionName } from '#contract/conversations/conversation-actions.ts'
import { NOBODY } from '#contract/conversations/rule-conditions.ts'
import { Button } from '../../../ui/Button.tsx'
import { MultiSelect } from '../../../ui/MultiSelect.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { FieldLine } from '../conditions/FieldLine.tsx'
import styles from './Rules.module.css'
import { SetAttributeFields } from './SetAttributeFields.tsx'
import type { Choices } from './useChoices.ts'

const ONE_DAY = 1440

/** A new action of each kind. */
const NEW: { [Name in ConversationActionName]: (choices: Choices) => Extract<ConversationAction, { action: Name }> } = {
  assign: () => ({ action: 'assign', user_id: null }),
  set_team: () => ({ action: 'set_team', team_id: null }),
  set_attribute: ({ attributes }) => {
    const key = attributes.find(({ subject }) => subject === 'conversation')?.key ?? ''
    return { action: 'set_attribute', key, value: null }
  },
  add_tag: ({ tags }) => ({ action: 'add_tag', tag_id: tags[0]?.value ?? '' }),
  remove_tag: ({ tags }) => ({ action: 'remove_tag', tag_id: tags[0]?.value ?? '' }),
  set_priority: () => ({ action: 'set_priority', priority: 'priority' }),
  set_status: () => ({ action: 'set_status', status: 'closed' }),
  snooze: () => ({ action: 'snooze', minutes: ONE_DAY }),
  add_note: () => ({ action: 'add_note', body: '' }),
  notify: () => ({ action: 'notify', user_ids: [], body: '' }),
  call_webhook: ({ webhooks }) => ({ action: 'call_webhook', webhook_id: webhooks?.[0]?.value ?? '' }),
  answer: () => ({ action: 'answer', body: '' }),
}
const NAMES = Object.keys(NEW) as ConversationActionName[]

/** Members do not know the webhooks. */
function mayChoose(name: ConversationActionName, { webhooks }: Choices): boolean {
  return name !== 'call_webhook' || webhooks !== undefined
}

interface FieldsProps {
  actions: readonly ConversationAction[]
  choices: Choices
  onChange: (actions: ConversationAction[]) => void
}

/** Actions in the order in which they are done. */
export function ActionFields({ actions, choices, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const replace = (at: number, next: ConversationAction) =>
    onChange(actions.map((action, other) => (other === at ? next : action)))
  return (
    <fieldset className={styles.part}>
      <legend>{t('rules.then')}</legend>
      {actions.map((action, at) => (
        <FieldLine
          // biome-ignore lint/suspicious/noArrayIndexKey: actions have no other identity than their index.
          key={at}
          removeLabel={t('rules.remove')}
          remove={() => onChange(actions.filter((_, other) => other !== at))}
        >
          <Select
            label={t('rules.action')}
            hideLabel
            options={NAMES.filter((name) => name === action.action || mayChoose(name, choices)).map((name) => ({
              value: name,
              label: t(`rules.actions.${name}`),
            }))}
            value={action.action}
            onChange={(name) => replace(at, NEW[name](choices))}
          />
          <ActionValue action={action} choices={choices} onChange={(next) => replace(at, next)} />
        </FieldLine>
      ))}
      <Button size="small" onClick={() => onChange([...actions, NEW.assign(choices)])}>
        {t('rules.add_action')}
      </Button>
    </fieldset>
  )
}

interface ValueProps {
  action: ConversationAction
  choices: Choices
  onChange: (action: ConversationAction) => void
}

function ActionValue({ action, choices, onChange }: ValueProps): ReactNode {
  const { t } = useTranslation()
  const { users, tags, teams } = choices
  const label = t('rules.value')
  const named = <Value extends string>(value: Value, name: string) => ({ value, label: name })
  switch (action.action) {
    case 'assign': {
      const options = [named(NOBODY, t('rules.values.nobody')), ...users]
      const write = (value: string) => onChange({ ...action, user_id: value === NOBODY ? null : Number(value) })
      return <Select hideLabel {...{ label, options }} value={String(action.user_id ?? NOBODY)} onChange={write} />
    }
    case 'set_team': {
      const options = [named(NOBODY, t('rules.values.no_team')), ...teams]
      const write = (value: string) => onChange({ ...action, team_id: value === NOBODY ? null : value })
      return <Select hideLabel {...{ label, options }} value={action.team_id ?? NOBODY} onChange={write} />
    }
    case 'set_attribute':
      return <SetAttributeFields {...{ action, choices, onChange }} />
    case 'add_tag':
    case 'remove_tag':
      return (
        <Select
          hideLabel
          {...{ label, options: tags }}
          placeholder={t('rules.choose')}
          value={action.tag_id}
          onChange={(tag_id) => onChange({ ...action, tag_id })}
        />
      )
    case 'call_webhook': {
      const { webhooks = [] } = choices
      if (webhooks.length === 0) return <p className={styles.quiet}>{t('rules.no_webhooks')}</p>
      return (
        <Select
          hideLabel
          {...{ label, options: webhooks }}
          placeholder={t('rules.choose')}
          value={action.webhook_id}
          onChange={(webhook_id) => onChange({ ...action, webhook_id })}
        />
      )
    }
    case 'set_priority': {
      const options = [
        named('priority', t('rules.values.priority')),
        named('not_priority', t('rules.values.not_priority')),
      ]
      return (
        <Select
          hideLabel
          {...{ label, options }}
          value={action.priority}
          onChange={(priority) => onChange({ ...action, priority })}
        />
      )
    }
    case 'set_status': {
      const options = [named('closed', t('rules.values.closed')), named('open', t('rules.values.open'))]
      return (
        <Select
          hideLabel
          {...{ label, options }}
          value={action.status}
          onChange={(status) => onChange({ ...action, status })}
        />
      )
    }
    case 'snooze':
      return (
        <NumberField
          label={t('rules.how_long')}
          hideLabel
          hint={t('rules.how_long')}
          value={action.minutes ?? 0}
          onChange={(minutes) => onChange({ ...action, minutes: minutes || null })}
        />
      )
    case 'notify':
      return (
        <>
          <MultiSelect
            hideLabel
            {...{ label, options: users }}
            placeholder={t('rules.choose')}
            value={action.user_ids.map(String)}
            onChange={(ids) => onChange({ ...action, user_ids: ids.map(Number) })}
          />
          <Body text={action.body} onChange={(body) => onChange({ ...action, body })} />
        </>
      )
    default:
      return <Body text={action.body} onChange={(body) => onChange({ ...action, body })} />
  }
}

function Body({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { t } = useTranslation()
  return <TextArea label={t('rules.message')} hideLabel rows={2} value={text} onChange={onChange} />
}
