import { type ComponentProps, useState } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Popover } from 'react-aria-components/Popover'
import { Pressable } from 'react-aria-components/Pressable'
import { Button } from './Button.tsx'
import styles from './Confirm.module.css'

interface ConfirmProps {
  question: string
  yes: string
  no: string
  /** Runs after Yes. The question stays open until it is done. */
  run: () => Promise<void>
  /** The button that opens the question. */
  children: ComponentProps<typeof Pressable>['children']
}

/** Asks for confirmation before an action that cannot be undone. No has the focus at first. */
export function Confirm({ question, yes, no, run, children }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
  const [isRunning, setRunning] = useState(false)
  async function confirm() {
    setRunning(true)
    await run().finally(() => setRunning(false))
    setOpen(false)
  }
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Pressable>{children}</Pressable>
      <Popover className={styles.popover ?? ''} placement="top" offset={6}>
        <Dialog role="alertdialog" className={styles.dialog ?? ''}>
          <Heading slot="title" className={styles.question ?? ''}>
            {question}
          </Heading>
          <div className={styles.answers}>
            <Button autoFocus size="small" onClick={() => setOpen(false)}>
              {no}
            </Button>
            <Button danger variant="primary" size="small" loading={isRunning} onClick={confirm}>
              {yes}
            </Button>
          </div>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
