import { useTranslation } from 'react-i18next'
import type { FirstAnswers, Inbox } from '#contract/widget/inboxes.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Block, EditBlock } from '../../../ui/EditBlock.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TryOut } from './TryOut.tsx'

const WHEN = ['never', 'outside_working_hours', 'nobody_there', 'always'] as const

interface BlockProps {
  inbox: Inbox
  isAdmin: boolean
  save: (first_answers: FirstAnswers) => Promise<void>
}

/** When the assistant answers first in an inbox, and a field in which admins try it out. */
export function FirstAnswersBlock({ inbox, isAdmin, save }: BlockProps) {
  const { t } = useTranslation()
  const [title, text] = [t('first_answers.title'), t('first_answers.text')]
  if (!isAdmin) {
    return (
      <Block title={title} text={text}>
        <p>{t(`first_answers.when.${inbox.first_answers}`)}</p>
      </Block>
    )
  }
  return (
    <>
      <EditBlock
        title={title}
        text={text}
        labels={{ edit: t('edit'), save: t('save'), cancel: t('cancel') }}
        saved={{ first_answers: inbox.first_answers }}
        save={({ first_answers }) =>
          save(first_answers).catch((error: unknown) => {
            showError(t('first_answers.not_saved'), error)
            throw error
          })
        }
      >
        {({ fields, change, isEditing }) => (
          <Select
            label={t('first_answers.when_label')}
            options={WHEN.map((value) => ({ value, label: t(`first_answers.when.${value}`) }))}
            value={fields.first_answers}
            onChange={(first_answers) => change({ first_answers })}
            disabled={!isEditing}
          />
        )}
      </EditBlock>
      <Block title={t('first_answers.try')} text={t('first_answers.try_text')}>
        <TryOut inbox_id={inbox.id} />
      </Block>
    </>
  )
}
