import { useState } from 'react'
import { Button } from '../Button.tsx'
import { Confirm } from '../Confirm.tsx'
import { Dialog } from '../Dialog.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { Menu } from '../Menu.tsx'
import { Popover } from '../Popover.tsx'
import { QrCode } from '../QrCode.tsx'
import { TextField } from '../TextField.tsx'
import { Tooltip } from '../Tooltip.tsx'
import { Specimen } from './Specimen.tsx'

const nothing = () => {}

/** Dialogs, menus and notices. */
export function OverlaySpecimens() {
  const [opened, setOpened] = useState<'form' | 'drawer'>()
  const [done, setDone] = useState('nothing')
  const close = () => setOpened(undefined)
  return (
    <Specimen name="Over the page">
      <Menu
        chosen="one"
        items={[
          { key: 'one', label: 'First', onClick: () => setDone('first') },
          { key: 'two', label: 'Second', onClick: () => setDone('second') },
          { type: 'divider' },
          { key: 'never', label: 'Not now', disabled: true, onClick: nothing },
          { key: 'delete', label: 'Delete', danger: true, onClick: () => setDone('deleted') },
        ]}
      >
        {(trigger) => <Button {...trigger}>Menu</Button>}
      </Menu>
      <Popover label="More about it" content={<p>What belongs beside its button.</p>}>
        {(trigger) => <Button {...trigger}>Popover</Button>}
      </Popover>
      <Confirm question="Delete it?" yes="Yes" no="No" run={async () => setDone('confirmed')}>
        <Button danger>Asks first</Button>
      </Confirm>
      <Tooltip text="A word about it" keys="mod+d">
        <Button>Tooltip</Button>
      </Tooltip>
      <Button onClick={() => setOpened('form')}>Form</Button>
      <Button onClick={() => setOpened('drawer')}>Drawer</Button>
      <output aria-label="Done">{done}</output>
      <QrCode value="https://example.com" size={80} />
      <FormDialog
        title="Create new inbox"
        open={opened === 'form'}
        close={close}
        cancelLabel="Cancel"
        saveLabel="Save"
        saving={false}
        error={undefined}
        guard={null}
        submit={(event) => {
          event.preventDefault()
          close()
        }}
      >
        <TextField label="Inbox name" autoFocus value="" onChange={nothing} />
        <TextField label="Description" value="" onChange={nothing} />
      </FormDialog>
      <Dialog title="Drawer" side="right" size={320} open={opened === 'drawer'} close={close}>
        <p>What has no place in the bar.</p>
      </Dialog>
    </Specimen>
  )
}
