import { useTranslation } from 'react-i18next'
import { parseUrl } from '#contract/parse-url.ts'
import { Check } from '../../../ui/Check.tsx'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { useEditWords, useSaveAccount } from '../../accounts/accounts/saving.ts'

/** Who may watch, and whether visitors are told. */
export function WatchingBlock() {
  const { t } = useTranslation()
  const { settings } = useTeam().account
  const save = useSaveAccount()
  const saved = {
    members: settings.members_watch_sessions === true,
    sign: settings.hide_watched_sign !== true,
    past: settings.instant_replay === true,
    hosts: (settings.replay_hosts ?? []).join(', '),
  }
  return (
    <EditBlock
      title={t('storytime.settings')}
      text={t('storytime.settings_text')}
      labels={useEditWords()}
      saved={saved}
      save={({ members, sign, past, hosts }) =>
        save({
          settings: {
            ...settings,
            members_watch_sessions: members,
            hide_watched_sign: !sign,
            instant_replay: past,
            replay_hosts: readHosts(hosts),
          },
        })
      }
    >
      {({ fields, change, isEditing }) => (
        <>
          <Check
            label={t('storytime.members')}
            checked={fields.members}
            disabled={!isEditing}
            onChange={(members) => change({ members })}
          />
          <Check
            label={t('storytime.sign')}
            hint={t('storytime.sign_hint')}
            checked={fields.sign}
            disabled={!isEditing}
            onChange={(sign) => change({ sign })}
          />
          <Check
            label={t('storytime.past')}
            hint={t('storytime.past_hint')}
            checked={fields.past}
            disabled={!isEditing}
            onChange={(past) => change({ past })}
          />
          <TextField
            label={t('storytime.hosts')}
            hint={t('storytime.hosts_hint')}
            placeholder="www.example.com, cdn.example.com"
            value={fields.hosts}
            disabled={!isEditing}
            onChange={(hosts) => change({ hosts })}
          />
        </>
      )}
    </EditBlock>
  )
}

/** Reduces pasted URLs to their host names. */
function readHosts(text: string): string[] {
  const entries = text.split(/[\s,;]+/).filter(Boolean)
  return [...new Set(entries.map((entry) => parseUrl(entry)?.host || entry.split('/', 1)[0]!))]
}
