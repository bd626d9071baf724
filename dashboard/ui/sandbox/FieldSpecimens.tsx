import { useState } from 'react'
import { ColorField } from '../ColorField.tsx'
import { ComboBox } from '../ComboBox.tsx'
import { CopyField } from '../CopyField.tsx'
import { FileField } from '../FileField.tsx'
import { GrowingText } from '../GrowingText.tsx'
import { MultiSelect } from '../MultiSelect.tsx'
import { NumberField } from '../NumberField.tsx'
import { PasswordField } from '../PasswordField.tsx'
import { SearchInput } from '../SearchInput.tsx'
import { Select } from '../Select.tsx'
import { TextArea } from '../TextArea.tsx'
import { TextField } from '../TextField.tsx'
import styles from './Sandbox.module.css'
import { Specimen } from './Specimen.tsx'

const nothing = () => {}
const PEOPLE = ['Ada', 'Bình', 'Carla', 'Đỗ Minh Châu', 'Tom'].map((name) => ({ value: name, label: name }))
const WORDS = { pick: 'Pick a colour', hex: 'Hex value', wrong: 'A color looks like #0d5f7a.' }

/** Form fields in each state. */
export function FieldSpecimens() {
  const [text, setText] = useState('')
  const [secret, setSecret] = useState('secret')
  const [number, setNumber] = useState(72)
  const [color, setColor] = useState('#0d5f7a')
  return (
    <>
      <Specimen name="Fields">
        <div className={styles.fields}>
          <TextField label="Name" placeholder="Placeholder" value={text} onChange={setText} />
          <TextField label="Website" hint="Where people find you." value="example.com" onChange={nothing} />
          <TextField label="Email" error="Write an address such as ada@example.com." value="ada@" onChange={nothing} />
          <TextField label="Disabled" disabled value="Value" onChange={nothing} />
          <TextField label="With a prefix" prefix="/" value="thanks" onChange={nothing} />
          <PasswordField label="Password" autoComplete="current-password" value={secret} onChange={setSecret} />
          <NumberField label="Hours" value={number} onChange={setNumber} />
          <TextArea label="Message" value={text} onChange={setText} />
          <SearchInput label="Search" value={text} onChange={setText} />
          <FileField label="List" accept=".csv" choose={nothing} disabled={false} hint="Up to 8 MB." />
          <CopyField label="Address" value="https://example.com/a" copyLabel="Copy" copied={nothing} />
          <ColorField
            label="Colour"
            palette={['#0d5f7a', '#c23b2a']}
            labels={WORDS}
            value={color}
            onChange={setColor}
          />
        </div>
      </Specimen>
      <Choosing />
      <Specimen name="Growing text">
        <div className={styles.growing}>
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
    </>
  )
}

function Choosing() {
  const [person, setPerson] = useState('Ada')
  const [searched, setSearched] = useState<string | null>('Carla')
  const [people, setPeople] = useState(['Ada', 'Tom'])
  return (
    <Specimen name="Choosing">
      <div className={styles.fields}>
        <Select label="One of a few" options={PEOPLE} value={person} onChange={setPerson} />
        <Select label="None yet" placeholder="Choose" options={PEOPLE} value={undefined} onChange={setPerson} />
        <ComboBox label="One of many" clearable options={PEOPLE} value={searched} onChange={setSearched} />
        <ComboBox label="Wrong" error="Choose another one." options={PEOPLE} value={null} onChange={nothing} />
        <MultiSelect label="Some" options={PEOPLE} value={people} onChange={setPeople} />
        <MultiSelect label="Some, or new ones" allowsNew options={PEOPLE} value={people} onChange={setPeople} />
      </div>
    </Specimen>
  )
}
