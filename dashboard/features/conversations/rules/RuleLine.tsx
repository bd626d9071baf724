import { useQueryClient } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Rule } from '#contract/conversations/rules.ts'
import { showError } from '../../../platform/http/errors.ts'
import { useAges } from '../../../platform/times.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import type { DragEntry } from '../../../ui/useDragOrder.ts'
import { changeRule } from './queries.ts'
import styles from './Rules.module.css'
import { actionText, listText, triggerText } from './sentences.ts'
import type { Choices } from './useChoices.ts'

interface LineProps {
  rule: Rule
  choices: Choices
  isFirst: boolean
  isLast: boolean
  /** Moves it in the list, by one up or down. */
  move: (step: -1 | 1) => void
  drag: DragEntry
}

/** A rule as a sentence, with its switch and its place in the order. Alt and an arrow key move it, too. */
export function RuleLine({ rule, choices, isFirst, isLast, move, drag }: LineProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : 1
    if (!event.altKey || !event.key.startsWith('Arrow') || (step === -1 ? isFirst : isLast)) return
    event.preventDefault()
    move(step)
  }
  const turn = (is_on: boolean) =>
    changeRule(client, rule.id, { is_on }).catch((error) => showError(t('rules.not_saved'), error))
  return (
    <li className={styles.line} style={drag.style} data-dragged={drag.isDragged || undefined} onKeyDown={press}>
      {isFirst && isLast ? null : (
        // The buttons beside it do the same.
        <span className={styles.handle} aria-hidden="true" {...drag.handle}>
          <Icon name="drag" />
        </span>
      )}
      <div className={styles.order}>
        <IconButton
          icon="arrow-left"
          label={t('rules.up', { name: rule.name })}
          disabled={isFirst}
          onClick={() => move(-1)}
        />
        <IconButton
          icon="arrow-left"
          label={t('rules.down', { name: rule.name })}
          disabled={isLast}
          onClick={() => move(1)}
        />
      </div>
      <div className={styles.about}>
        <Link to={`/settings/rules/${rule.id}`} className={styles.name} dir="auto">
          {rule.name}
        </Link>
        <RuleSentence rule={rule} choices={choices} />
        <RuleState rule={rule} />
      </div>
      <Switch label={t(rule.is_on ? 'rules.on' : 'rules.off')} checked={rule.is_on} onChange={turn} />
    </li>
  )
}

function RuleSentence({ rule: { trigger, conditions, actions }, choices }: Pick<LineProps, 'rule' | 'choices'>) {
  const { t } = useTranslation()
  const parts = [
    `${t('rules.when')} ${triggerText(t, trigger)}`,
    ...conditions.map((list, at) => `${t(at === 0 ? 'rules.if' : 'rules.and')} ${listText(t, choices, list)}`),
    `${t('rules.then')} ${actions.map((action) => actionText(t, choices, action)).join(', ')}`,
  ]
  return (
    <p className={styles.sentence} dir="auto">
      {parts.join(' · ')}
    </p>
  )
}

function RuleState({ rule: { problem, run_count, last_run_at } }: { rule: Rule }) {
  const { t } = useTranslation()
  const ago = useAges()
  return (
    <p className={styles.quiet}>
      {problem && <Pill tone="warning">{t(`rules.problems.${problem}`)}</Pill>}{' '}
      {last_run_at ? `${t('rules.runs', { count: run_count })} · ${ago(last_run_at, 'long')}` : t('rules.no_runs')}
    </p>
  )
}
