import { type IntegrationName, kindOf } from '#contract/connections/kinds.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { LetterTile } from '../../../ui/LetterTile.tsx'
import styles from './ChannelSign.module.css'

/** The sign before the name of a channel or an integration. */
export function ChannelSign({ name }: { name: IntegrationName | 'chat' }) {
  const { tile } = name === 'chat' ? {} : kindOf(name)
  if (tile) return <LetterTile letter={tile[0]} color={tile[1]} />
  return (
    <span className={styles.own}>
      <Icon name={name === 'chat' ? 'chat' : 'mail'} size={16} />
    </span>
  )
}
