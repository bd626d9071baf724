import { Button, Input, Modal, Popconfirm, Select } from 'antd'
import { useState } from 'react'
import { Check } from '../Check.tsx'
import { Choice } from '../Choice.tsx'
import { FormError } from '../FormError.tsx'
import { GrowingText } from '../GrowingText.tsx'
import { Icon } from '../Icon.tsx'
import { IconButton } from '../IconButton.tsx'
import { Keys } from '../Keys.tsx'
import { Specimen } from './Specimen.tsx'

const nothing = () => {}

export function ControlSpecimens() {
  return (
    <>
      <Buttons />
      <IconButtons />
      <Inputs />
      <Choices />
      <Checks />
      <Specimen name="Keys">
        <Keys of="mod+enter" />
        <Keys of="mod+up" />
        <Keys of="esc" />
      </Specimen>
      <Specimen name="Form error">
        <FormError text="Error: name can't be blank" />
      </Specimen>
      <Dialogs />
    </>
  )
}

function Buttons() {
  return (
    <Specimen name="Buttons">
      <Button type="primary">Primary</Button>
      <Button type="primary" loading>
        Loading
      </Button>
      <Button type="primary" disabled>
        Disabled
      </Button>
      <Button>Default</Button>
      <Button icon={<Icon name="check" size={18} />}>With icon</Button>
      <Button type="text">Text</Button>
      <Button type="link">Link</Button>
      <Button danger>Danger</Button>
      <Popconfirm title="Delete it?" okText="Yes" cancelText="No">
        <Button danger>Asks first</Button>
      </Popconfirm>
    </Specimen>
  )
}

function IconButtons() {
  return (
    <Specimen name="Icon buttons">
      <IconButton icon="star" label="Mark as priority" keys="mod+p" />
      <IconButton icon="star" label="Remove priority" tone="star" pressed />
      <IconButton icon="panel" label="Details" pressed />
      <IconButton icon="trash" label="Delete" tone="danger" />
      <IconButton icon="keyboard" label="Disabled" disabled />
    </Specimen>
  )
}

function Inputs() {
  const [text, setText] = useState('')
  return (
    <Specimen name="Inputs">
      <Input placeholder="Placeholder" style={{ width: 220 }} aria-label="Empty" />
      <Input defaultValue="Value" style={{ width: 220 }} aria-label="Filled" />
      <Input defaultValue="Wrong" status="error" style={{ width: 220 }} aria-label="Wrong" />
      <Input defaultValue="Disabled" disabled style={{ width: 220 }} aria-label="Disabled" />
      <Input.Password defaultValue="secret" style={{ width: 220 }} aria-label="Password" />
      <Select
        style={{ width: 220 }}
        aria-label="Select"
        defaultValue="b"
        options={[
          { value: 'a', label: 'Ada' },
          { value: 'b', label: 'Bình' },
        ]}
      />
      <div style={{ width: 320, border: '1px solid var(--line-strong)', borderRadius: 12 }}>
        <GrowingText
          value={text}
          onChange={setText}
          onKeyDown={nothing}
          onBlur={nothing}
          placeholder="Grows to four rows"
          maxLength={500}
        />
      </div>
    </Specimen>
  )
}

function Choices() {
  const [choice, setChoice] = useState('reply')
  return (
    <Specimen name="Choice">
      <Choice
        legend="Kind"
        options={[
          { value: 'reply', label: 'Reply' },
          { value: 'note', label: 'Note' },
        ]}
        value={choice}
        onChange={setChoice}
      />
    </Specimen>
  )
}

function Checks() {
  const [checked, setChecked] = useState(true)
  return (
    <Specimen name="Check">
      <Check label="Wanted" checked={checked} onChange={setChecked} />
      <Check label="With a hint" hint="When it has been quiet for a while." checked={!checked} onChange={nothing} />
      <Check label="Disabled" checked disabled onChange={nothing} />
    </Specimen>
  )
}

function Dialogs() {
  const [open, setOpen] = useState(false)
  return (
    <Specimen name="Dialog">
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Modal title="Create new inbox" open={open} onCancel={() => setOpen(false)} width={400} okText="Save">
        <Input aria-label="Name" />
      </Modal>
    </Specimen>
  )
}
