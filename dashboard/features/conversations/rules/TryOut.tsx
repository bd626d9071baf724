import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RuleDraft, RuleTrial } from '#contract/conversations/rules.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { tryRule } from './queries.ts'
import styles from './Rules.module.css'
import { listText } from './sentences.ts'
import type { Choices } from './useChoices.ts'

interface TryProps {
  rule: RuleDraft
  choices: Choices
}

/** Shows which of the last conversations the rule would have met, before it is switched on. */
export function TryOut({ rule, choices }: TryProps) {
  const { t } = useTranslation()
  const [trials, setTrials] = useState<RuleTrial[]>()
  const [isRunning, setRunning] = useState(false)
  const run = () => {
    setRunning(true)
    tryRule({ trigger: rule.trigger, conditions: rule.conditions })
      .then(setTrials, (error) => showError(t('rules.not_tried'), error))
      .finally(() => setRunning(false))
  }
  return (
    <section className={styles.part} aria-label={t('rules.try')}>
      <p className={styles.quiet}>{t('rules.try_text')}</p>
      <Button loading={isRunning} onClick={run}>
        {t('rules.try')}
      </Button>
      {trials && <Trials trials={trials} choices={choices} />}
    </section>
  )
}

function Trials({ trials, choices }: { trials: RuleTrial[]; choices: Choices }) {
  const { t } = useTranslation()
  const count = trials.filter(({ matches }) => matches).length
  const columns = [t('rules.customer'), t('rules.message'), t('rules.result'), t('rules.open')] as const
  return (
    <>
      <p role="status">{t('rules.would_match', { count, all: trials.length })}</p>
      {trials.length > 0 && (
        <Table label={t('rules.try')} columns={columns}>
          <Each name="trial" items={trials} keyOf={(trial) => trial.conversation_id}>
            {({ conversation_id, title, preview, matches, failed }) => (
              <tr>
                <td>
                  <Truncate text={title} />
                </td>
                <td dir="auto">{preview && <Truncate text={preview} lines={2} />}</td>
                <td>
                  {matches ? (
                    <Pill tone="success">{t('rules.matches')}</Pill>
                  ) : (
                    t('rules.failed_condition', { condition: listText(t, choices, failed ?? []) })
                  )}
                </td>
                <td>
                  <Link to={`/conversations/all/${conversation_id}`} aria-label={`${t('rules.open')} ${title}`}>
                    {t('rules.open')}
                  </Link>
                </td>
              </tr>
            )}
          </Each>
        </Table>
      )}
    </>
  )
}
