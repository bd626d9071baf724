import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { useDialog } from '../../../../platform/useDialog.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { MoveLines } from './MoveLines.tsx'

const MergeDialog = lazyComponent(async () => (await import('./MergeDialog.tsx')).MergeDialog)

/** Brings another conversation of the customer into this one, and lists what was merged and split before. */
export function MergeConversation({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const merging = useDialog()
  return (
    <>
      <Button block icon={<Icon name="merge" size={18} />} onClick={() => merging.open()}>
        {t('merging.open')}
      </Button>
      <MoveLines conversation_id={conversation.id} />
      <LazyMount when={merging.isOpen}>
        <MergeDialog key={merging.turn} conversation={conversation} open={merging.isOpen} close={merging.close} />
      </LazyMount>
    </>
  )
}
