import { useState } from 'react'
import { Button, ButtonLink } from '../Button.tsx'
import { Check } from '../Check.tsx'
import { Choice } from '../Choice.tsx'
import { FormError } from '../FormError.tsx'
import { Icon } from '../Icon.tsx'
import { IconButton } from '../IconButton.tsx'
import { Keys } from '../Keys.tsx'
import { Switch } from '../Switch.tsx'
import { FieldSpecimens } from './FieldSpecimens.tsx'
import { OverlaySpecimens } from './OverlaySpecimens.tsx'
import { Specimen } from './Specimen.tsx'

const nothing = () => {}

export function ControlSpecimens() {
  return (
    <>
      <Buttons />
      <IconButtons />
      <FieldSpecimens />
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
      <OverlaySpecimens />
    </>
  )
}

function Buttons() {
  return (
    <Specimen name="Buttons">
      <Button variant="primary">Primary</Button>
      <Button variant="primary" loading>
        Loading
      </Button>
      <Button variant="primary" disabled>
        Disabled
      </Button>
      <Button variant="primary" danger>
        Delete
      </Button>
      <Button>Plain</Button>
      <Button icon={<Icon name="check" size={18} />}>With icon</Button>
      <Button size="small">Small</Button>
      <Button size="large">Large</Button>
      <Button variant="text">Text</Button>
      <Button variant="link">Link</Button>
      <Button danger>Danger</Button>
      <ButtonLink to="/sandbox">Goes somewhere</ButtonLink>
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
    <Specimen name="Check and switch">
      <Check label="Wanted" checked={checked} onChange={setChecked} />
      <Check label="With a hint" hint="When it has been quiet for a while." checked={!checked} onChange={nothing} />
      <Check label="Disabled" checked disabled onChange={nothing} />
      <Switch label="Switch" hint="On or off." checked={checked} onChange={setChecked} />
    </Specimen>
  )
}
