import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Company } from '#contract/customers/companies.ts'
import { slackChannelsQuery, slackQuery } from '../../../integrations/slack/queries.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { ComboBox } from '../../../ui/ComboBox.tsx'
import { Select } from '../../../ui/Select.tsx'

/** The company's Slack channel. */
export type CompanyChannel = Pick<
  Company,
  'slack_channel_id' | 'slack_channel_name' | 'slack_team_id' | 'slack_team_name'
>

interface SlackChannelFieldsProps {
  channel: CompanyChannel
  onChange(channel: CompanyChannel): void
}

/** Chooses the company's workspace and channel among the connected ones. */
export function SlackChannelFields({ channel, onChange }: SlackChannelFieldsProps) {
  const { t } = useTranslation()
  const { data: connected = [], isSuccess } = useQuery(slackQuery('support', undefined))
  const teams = [...new Map(connected.map((connection) => [connection.team_id, connection])).values()]
  const team_id = channel.slack_team_id ?? (teams.length === 1 ? teams[0]!.team_id : undefined)
  const team = teams.find((candidate) => candidate.team_id === team_id)
  if (teams.length === 0) {
    return (
      <Select
        disabled
        label={t('companies.slack')}
        hint={t('companies.slack_text')}
        // Whether Slack is connected is not known before the answer.
        placeholder={channel.slack_channel_name || (isSuccess ? t('companies.no_slack') : '')}
        value={undefined}
        onChange={() => undefined}
        options={[]}
      />
    )
  }
  return (
    <>
      <Select
        label={t('companies.slack_team')}
        placeholder={t('companies.no_slack_team')}
        value={team?.team_id}
        options={teams.map((slackTeam) => ({ value: slackTeam.team_id, label: slackTeam.team_name }))}
        onChange={(chosen) =>
          onChange({
            slack_team_id: chosen,
            slack_team_name: teams.find((candidate) => candidate.team_id === chosen)?.team_name ?? null,
            slack_channel_id: null,
            slack_channel_name: null,
          })
        }
      />
      {team && <ChannelField team={team} channel={channel} onChange={onChange} />}
    </>
  )
}

interface ChannelFieldProps extends SlackChannelFieldsProps {
  team: { team_id: string; team_name: string }
}

function ChannelField({ team: { team_id, team_name }, channel, onChange }: ChannelFieldProps) {
  const { t } = useTranslation()
  const { data, error, isPending } = useQuery(slackChannelsQuery(team_id))
  const { slack_channel_id, slack_channel_name } = channel
  const options = useMemo(() => {
    const current = slack_channel_id ? [{ value: slack_channel_id, label: slack_channel_name ?? slack_channel_id }] : []
    return data?.map(({ id, name }) => ({ value: id, label: `#${name}` })) ?? current
  }, [data, slack_channel_id, slack_channel_name])
  return (
    <ComboBox
      label={t('companies.slack')}
      options={options}
      value={slack_channel_id}
      clearable
      loading={isPending}
      placeholder={t('companies.no_slack')}
      error={error ? errorText(error) : undefined}
      onChange={(id) => {
        onChange({
          slack_team_id: team_id,
          slack_team_name: team_name,
          slack_channel_id: id,
          slack_channel_name: options.find(({ value }) => value === id)?.label ?? null,
        })
      }}
    />
  )
}
