import { useState, useSyncExternalStore } from 'react'
import { Choice } from '../Choice.tsx'
import { chooseScheme, onSchemeChange, readSchemeChoice } from '../scheme.ts'
import { useTabTitle } from '../tab-title.ts'
import { ControlSpecimens } from './ControlSpecimens.tsx'
import { PieceSpecimens } from './PieceSpecimens.tsx'
import styles from './Sandbox.module.css'
import { StateSpecimens } from './StateSpecimens.tsx'
import { TokenSpecimens } from './TokenSpecimens.tsx'

const PARTS = {
  tokens: TokenSpecimens,
  controls: ControlSpecimens,
  pieces: PieceSpecimens,
  states: StateSpecimens,
}

type Part = keyof typeof PARTS

/** All tokens and components in every state, for developers. */
export function Sandbox() {
  const scheme = useSyncExternalStore(onSchemeChange, readSchemeChoice)
  const [part, setPart] = useState<Part>('tokens')
  const Specimens = PARTS[part]
  useTabTitle('UI Sandbox')
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>UI Sandbox</h1>
        <Choice
          legend="Part"
          hideLegend
          options={(Object.keys(PARTS) as Part[]).map((value) => ({ value, label: value }))}
          value={part}
          onChange={setPart}
        />
        <Choice
          legend="Scheme"
          hideLegend
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: value }))}
          value={scheme}
          onChange={chooseScheme}
        />
      </header>
      <Specimens />
    </main>
  )
}
