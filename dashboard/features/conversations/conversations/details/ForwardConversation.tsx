import { useTranslation } from 'react-i18next'
import { canMail } from '../../../../platform/environment.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { useDialog } from '../../../../platform/useDialog.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'

const ForwardDialog = lazyComponent(async () => (await import('./ForwardDialog.tsx')).ForwardDialog)

/** Sends the conversation by email to somebody outside. */
export function ForwardConversation({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const forwarding = useDialog()
  return (
    <>
      <Button
        block
        icon={<Icon name="mail" size={18} />}
        disabled={!canMail()}
        title={canMail() ? undefined : t('starting.no_way_out')}
        onClick={() => forwarding.open()}
      >
        {t('conversation.forward')}
      </Button>
      <LazyMount when={forwarding.isOpen}>
        <ForwardDialog
          key={forwarding.turn}
          conversation_id={conversation_id}
          open={forwarding.isOpen}
          close={forwarding.close}
        />
      </LazyMount>
    </>
  )
}
