import { type ReactNode, use, useRef } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './Dialog.module.css'
import { Icon } from './Icon.tsx'
import { KitLabels } from './kit-labels.ts'
import { width } from './tokens.ts'
import { askToLeave, hasUnsaved } from './unsaved.ts'

interface DialogProps {
  title: string
  open: boolean
  close: () => void
  /** In pixels, or a CSS length. */
  size?: number | string
  /** `left` and `right` slide in from that side with full height. */
  side?: 'middle' | 'left' | 'right'
  /** The actions, the main one last. */
  footer?: ReactNode
  /** The content has no padding. */
  flush?: boolean
  children: ReactNode
}

/**
 * A modal dialog. It keeps the focus inside; Escape and a click outside close it, and the focus returns to where it
 * was. Its content is mounted anew each time it opens. A form in it with unsaved text asks before these lose it.
 */
export function Dialog({ title, open, close, size = width.dialog, side = 'middle', ...rest }: DialogProps) {
  const labels = use(KitLabels)
  const { footer, flush, children } = rest
  const body = useRef<HTMLDivElement>(null)
  async function leave() {
    if (!hasUnsaved(body.current) || (await askToLeave())) close()
  }
  return (
    <ModalOverlay
      className={styles.scrim ?? ''}
      data-modal=""
      data-side={side}
      isDismissable
      isOpen={open}
      onOpenChange={(isOpen) => isOpen || leave()}
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
            <button type="button" className={styles.close} aria-label={labels.close} onClick={leave}>
              <Icon name="close" size={18} />
            </button>
          </header>
          <div ref={body} className={styles.body} data-flush={flush || undefined}>
            {children}
          </div>
          {footer && <footer className={styles.foot}>{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
