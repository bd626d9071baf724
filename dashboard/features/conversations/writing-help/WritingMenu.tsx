import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { WritingTask } from '#contract/conversations/writing-help.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu.tsx'
import { languageModelQuery } from '../../connections/language-model/queries.ts'
import { keysOf } from '../actions/registry.ts'
import { clearAskedWriting, setCanWriteWithModel, useAskedWriting } from '../actions/writing-help.ts'
import { startRun } from './runs.ts'
import { TranslateDialog } from './TranslateDialog.tsx'

interface MenuProps {
  conversation_id: string
  /** The text in the composer. */
  body: string
}

/** In the composer's toolbar: what the account's model can write. Nothing where there is no model. */
export function WritingMenu({ conversation_id, body }: MenuProps) {
  const { t } = useTranslation()
  const { data } = useQuery(languageModelQuery)
  const asked = useAskedWriting(conversation_id)
  const translating = useDialog()
  const isEnabled = data?.is_enabled === true
  useEffect(() => {
    setCanWriteWithModel(isEnabled)
    return () => setCanWriteWithModel(false)
  }, [isEnabled])
  useEffect(() => {
    if (!asked) return
    clearAskedWriting()
    void startRun(conversation_id, { task: asked })
  }, [asked, conversation_id])
  if (!isEnabled) return null
  const isEmpty = body.trim() === ''
  const item = (task: WritingTask, disabled: boolean): MenuItem => ({
    key: task,
    label: t(`writing.tasks.${task}`),
    disabled,
    onClick: () => void startRun(conversation_id, { task, ...(!disabled && { text: body }) }),
  })
  const items: MenuItem[] = [
    item('draft', false),
    item('summarize', false),
    { type: 'divider' },
    item('shorten', isEmpty),
    item('make_friendlier', isEmpty),
    {
      key: 'translate',
      label: t('writing.tasks.translate'),
      disabled: isEmpty,
      onClick: () => translating.open(),
    },
  ]
  return (
    <>
      <Menu items={items}>
        {(trigger) => (
          <IconButton {...trigger} icon="wand" label={t('writing.menu')} keys={keysOf('write_draft')} placement="top" />
        )}
      </Menu>
      <TranslateDialog
        key={translating.turn}
        open={translating.isOpen}
        close={translating.close}
        translate={(language) => void startRun(conversation_id, { task: 'translate', text: body, language })}
      />
    </>
  )
}
