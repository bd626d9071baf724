import { type ReactNode, use } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './Dialog.module.css'
import { Icon } from './Icon.tsx'
import { KitWords } from './kit-words.ts'
import { width } from './tokens.ts'

interface DialogProps {
  title: string
  open: boolean
  close: () => void
  /** In pixels, or a length of CSS. */
  size?: number | string
  /** `left` and `right` slide in from that side and take the whole height. */
  side?: 'middle' | 'left' | 'right'
  /** What can be done, the main thing last. */
  footer?: ReactNode
  /** The content reaches to the rim. */
  flush?: boolean
  children: ReactNode
}

/**
 * A window before the page. The focus goes in and cannot leave, Escape and a click beside it close it, and the focus
 * returns to where it was. What is inside is drawn anew each time it opens.
 */
export function Dialog({ title, open, close, size = width.dialog, side = 'middle', ...rest }: DialogProps) {
  const words = use(KitWords)
  const { footer, flush, children } = rest
  return (
    <ModalOverlay
      className={styles.scrim ?? ''}
      data-modal=""
      data-side={side}
      isDismissable
      isOpen={open}
      onOpenChange={(isOpen) => isOpen || close()}
    >
      <Modal
        className={styles.window ?? ''}
        style={{ '--size': typeof size === 'number' ? `${size}px` : size } as object}
      >
        <AriaDialog className={styles.dialog ?? ''}>
          <header className={styles.head}>
            <Heading slot="title" className={styles.title ?? ''}>
              {title}
            </Heading>
            <button type="button" className={styles.close} aria-label={words.close} onClick={close}>
              <Icon name="close" size={18} />
            </button>
          </header>
          <div className={styles.body} data-flush={flush || undefined}>
            {children}
          </div>
          {footer && <footer className={styles.foot}>{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
