import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ruleField } from '#contract/conversations/rule-conditions.ts'
import type { Rule, RuleDraft } from '#contract/conversations/rules.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/Check.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { ActionFields } from './ActionFields.tsx'
import { ConditionFields } from './ConditionFields.tsx'
import { deleteRule, saveRule } from './queries.ts'
import styles from './Rules.module.css'
import { TriggerFields } from './TriggerFields.tsx'
import { TryOut } from './TryOut.tsx'
import { useChoices } from './useChoices.ts'

const EMPTY: RuleDraft = {
  name: '',
  is_on: false,
  trigger: { on: 'customer_message' },
  conditions: [],
  actions: [],
  stops: false,
}

/** Reads as a sentence: when this happens, if that holds, then do this. */
export function RuleForm({ rule }: { rule?: Rule }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const choices = useChoices()
  const [draft, setDraft] = useState<RuleDraft>(rule ? draftOf(rule) : EMPTY)
  const change = (changes: Partial<RuleDraft>) => setDraft({ ...draft, ...changes })
  const { saving, error, submit, guard } = useSaving(async () => {
    await saveRule(client, rule?.id, draft)
    navigate('/settings/rules')
  })
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit}>
      {rule?.problem && <Banner tone="warning">{t(`rules.problems.${rule.problem}`)}</Banner>}
      <TextField label={t('rules.name')} autoFocus value={draft.name} onChange={(name) => change({ name })} />
      <TriggerFields
        trigger={draft.trigger}
        onChange={(trigger) => change({ trigger, conditions: fitting(draft.conditions, trigger) })}
      />
      <ConditionFields
        trigger={draft.trigger.on}
        conditions={draft.conditions}
        choices={choices}
        onChange={(conditions) => change({ conditions })}
      />
      <ActionFields actions={draft.actions} choices={choices} onChange={(actions) => change({ actions })} />
      <Check label={t('rules.stops')} checked={draft.stops} onChange={(stops) => change({ stops })} />
      <Check label={t('rules.switch_on')} checked={draft.is_on} onChange={(is_on) => change({ is_on })} />
      <FormError text={error} />
      <div className={styles.buttons}>
        <Button variant="primary" type="submit" loading={saving}>
          {t('save')}
        </Button>
        {rule && <DeleteButton rule={rule} />}
      </div>
      <TryOut rule={draft} choices={choices} />
    </form>
  )
}

/** Some fields belong to some triggers only. */
function fitting(conditions: RuleDraft['conditions'], { on }: RuleDraft['trigger']): RuleDraft['conditions'] {
  const fits = conditions.map((list) => list.filter(({ field }) => ruleField(field).only?.includes(on) ?? true))
  return fits.filter((list) => list.length > 0)
}

function draftOf({ name, is_on, trigger, conditions, actions, stops }: Rule): RuleDraft {
  return { name, is_on, trigger, conditions, actions, stops }
}

function DeleteButton({ rule: { id, name } }: { rule: Rule }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = () =>
    deleteRule(client, id).then(
      () => navigate('/settings/rules'),
      (error) => showError(t('rules.not_saved'), error),
    )
  return (
    <Confirm
      question={t('rules.confirm', { name })}
      yes={t('yes')}
      no={t('no')}
      run={async () => void (await remove())}
    >
      <Button variant="text" danger>
        {t('delete')}
      </Button>
    </Confirm>
  )
}
