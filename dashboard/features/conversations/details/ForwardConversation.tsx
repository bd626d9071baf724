import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canMail } from '../../../platform/environment.ts'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'

const ForwardDialog = lazyComponent(async () => (await import('./ForwardDialog.tsx')).ForwardDialog)

/** Sends the conversation by email to somebody outside. */
export function ForwardConversation({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        block
        icon={<Icon name="mail" size={18} />}
        disabled={!canMail()}
        title={canMail() ? undefined : t('starting.no_way_out')}
        onClick={() => setOpen(true)}
      >
        {t('conversation.forward')}
      </Button>
      <LazyMount when={isOpen}>
        <ForwardDialog conversation_id={conversation_id} open={isOpen} close={() => setOpen(false)} />
      </LazyMount>
    </>
  )
}
