import { Icon } from '../../../ui/Icon.tsx'
import type { IconName } from '../../../ui/icon-paths.ts'
import { LetterTile } from '../../../ui/LetterTile.tsx'
import styles from './ChannelSign.module.css'

/** Letters instead of the vendors' logos, which belong to them, on a color that is near theirs. */
const VENDORS = {
  gmail: ['G', '#c5221f'],
  google_sheets: ['S', '#137333'],
  twilio: ['T', '#c01b38'],
  slack: ['S', '#611f69'],
  slack_sync: ['S', '#611f69'],
  mattermost: ['M', '#1c58d9'],
  github: ['G', '#24292f'],
  hubspot: ['H', '#b8471f'],
  intercom: ['I', '#1a5fb4'],
} as const

const OWN: Record<'chat' | 'mailbox' | 'ses' | 'email', IconName> = {
  chat: 'chat',
  mailbox: 'mail',
  ses: 'mail',
  email: 'mail',
}

type ChannelName = keyof typeof VENDORS | keyof typeof OWN

/** The sign before the name of a channel or an integration. */
export function ChannelSign({ name }: { name: ChannelName }) {
  if (name in VENDORS) {
    const [letter, color] = VENDORS[name as keyof typeof VENDORS]
    return <LetterTile letter={letter} color={color} />
  }
  return (
    <span className={styles.own}>
      <Icon name={OWN[name as keyof typeof OWN]} size={16} />
    </span>
  )
}
