import { Avatar } from '../Avatar.tsx'
import { Badge } from '../Badge.tsx'
import { CheckLine } from '../CheckLine.tsx'
import { CodeSnippet, CopyCode } from '../CodeSnippet.tsx'
import { type Connection, ConnectionStatus } from '../ConnectionStatus.tsx'
import { Icon } from '../Icon.tsx'
import { ICON_PATHS, type IconName } from '../icon-paths.ts'
import { Pill, type Tone } from '../Pill.tsx'
import { ProductLogo } from '../ProductLogo.tsx'
import styles from './Sandbox.module.css'
import { Specimen } from './Specimen.tsx'

const NAMES = ['Ada Lovelace', 'Bình Nguyễn', 'Đỗ Minh Châu', 'carla@example.test', '李小龍', 'فاطمة']
const TONES: Tone[] = ['neutral', 'accent', 'success', 'warning', 'danger', 'note', 'bot']
const CONNECTIONS: Connection[] = ['connecting', 'live', 'catching-up', 'offline']

export function PieceSpecimens() {
  return (
    <>
      <Specimen name="Mark">
        <ProductLogo />
        <ProductLogo size={48} />
      </Specimen>
      <Specimen name="Avatars">
        {NAMES.map((name) => (
          <Avatar key={name} id={name} name={name} />
        ))}
        <Avatar id="7" name="Ada" online />
        <Avatar id="8" name="Ada" anonymous />
        <Avatar id="9" name="Ada" size={20} />
        <Avatar id="3" name="Ada Lovelace" size={56} online />
      </Specimen>
      <Specimen name="Badges">
        <Badge count={7} label="7 unread" />
        <Badge count={1200} label="1200 unread" />
        <Badge count={3} tone="danger" label="3 open" />
      </Specimen>
      <Specimen name="Pills">
        {TONES.map((tone) => (
          <Pill key={tone} tone={tone}>
            {tone}
          </Pill>
        ))}
      </Specimen>
      <Specimen name="Sign of connection">
        {CONNECTIONS.map((state) => (
          <ConnectionStatus key={state} state={state} label={state} />
        ))}
      </Specimen>
      <Specimen name="Code to copy">
        <CodeSnippet code={'<script>\n  // …\n</script>'} label="Lines for a website" />
        <CopyCode code="…" label="Copy these lines" copied="Copied" notCopied="Not copied" />
      </Specimen>
      <Specimen name="Checks">
        <CheckLine check={{ label: 'Check it', run: () => undefined }}>Not seen yet.</CheckLine>
        <CheckLine badge="Found!" check={{ label: 'Check again', run: () => undefined }}>
          Seen on shop.test.
        </CheckLine>
      </Specimen>
      <Specimen name="Icons">
        {(Object.keys(ICON_PATHS) as IconName[]).map((name) => (
          <figure key={name} className={styles.icon}>
            <Icon name={name} size={24} />
            <figcaption>{name}</figcaption>
          </figure>
        ))}
      </Specimen>
    </>
  )
}
