import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type User, userName } from '#contract/accounts/users.ts'
import { errorText, showError } from '../../../platform/http/errors.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Block, EditBlock, type EditForm } from '../../../ui/EditBlock.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Bone } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { FinishOAuth, useIsReturn } from '../../connections/oauth/FinishOAuth.tsx'
import { NotificationChoices } from '../../conversations/notifications/NotificationChoices.tsx'
import { PushBlock } from '../../conversations/push/PushBlock.tsx'
import { PictureField } from '../accounts/PictureField.tsx'
import { useEditWords } from '../accounts/saving.ts'
import { AlertChoices } from './AlertChoices.tsx'
import { GmailBlock } from './GmailBlock.tsx'
import { InstallBlock } from './InstallBlock.tsx'
import { PasswordBlock } from './PasswordBlock.tsx'
import { Preferences } from './Preferences.tsx'
import styles from './ProfilePage.module.css'
import { profileQuery, updateProfile } from './queries.ts'
import { ReadLanguages } from './ReadLanguages.tsx'
import { SessionsBlock } from './SessionsBlock.tsx'
import { SignatureBlock } from './SignatureBlock.tsx'
import { TwoFactorBlock } from './TwoFactorBlock.tsx'
import { UndoBlock } from './UndoBlock.tsx'

/** Profile and preferences of the signed-in user. Google returns here after consent to a personal connection. */
export function ProfilePage() {
  return useIsReturn() ? <FinishOAuth /> : <Profile />
}

function Profile() {
  const { t } = useTranslation()
  const profile = useQuery(profileQuery)
  if (profile.isError && !profile.data) {
    return (
      <LoadFailed
        isPage
        title={t('profile.failed')}
        text={errorText(profile.error)}
        retryLabel={t('retry')}
        retry={profile.refetch}
      />
    )
  }
  return (
    <Page title={t('profile.title')}>
      {profile.data ? <NamesBlock user={profile.data} /> : <Bone width="60%" />}
      <Block title={t('profile.alerts')} text={t('profile.alerts_text')}>
        <AlertChoices />
      </Block>
      <Block title={t('profile.on_screen')} text={t('profile.on_screen_text')}>
        <NotificationChoices />
      </Block>
      <PushBlock />
      <Block title={t('profile.look')} text={t('profile.look_text')}>
        <Preferences />
        <ReadLanguages />
      </Block>
      <InstallBlock />
      <SignatureBlock />
      <UndoBlock />
      <GmailBlock />
      <PasswordBlock />
      <TwoFactorBlock />
      <SessionsBlock />
    </Page>
  )
}

function NamesBlock({ user }: { user: User }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const saved = {
    full_name: user.full_name ?? '',
    display_name: user.display_name ?? '',
    profile_photo_url: user.profile_photo_url ?? '',
  }
  async function save(fields: Names) {
    try {
      await updateProfile(client, fields)
    } catch (error) {
      showError('Profile not saved', error)
      throw error
    }
  }
  return (
    <EditBlock
      title={t('profile.names')}
      text={t('profile.names_text')}
      labels={useEditWords()}
      saved={saved}
      save={save}
    >
      {(form) => <NameFields user={user} {...form} />}
    </EditBlock>
  )
}

type Names = Record<'full_name' | 'display_name' | 'profile_photo_url', string>

function NameFields({ user, fields, change, isEditing }: EditForm<Names> & { user: User }) {
  const { t } = useTranslation()
  const input = (name: keyof Names) => ({
    disabled: !isEditing,
    value: fields[name],
    onChange: (text: string) => change({ [name]: text }),
  })
  const shown = { ...user, full_name: fields.full_name || null, display_name: fields.display_name || null }
  return (
    <>
      <TextField label={t('profile.full_name')} autoComplete="name" {...input('full_name')} />
      <TextField label={t('profile.display_name')} autoComplete="nickname" {...input('display_name')} />
      <TextField label={t('profile.email')} disabled value={user.email} onChange={() => undefined} />
      <PictureField label={t('profile.photo')} {...input('profile_photo_url')} />
      <div className={styles.photo}>
        <Avatar id={user.id} name={userName(shown)} photo={fields.profile_photo_url || null} size={72} />
        <span>{t('profile.photo_preview', { name: userName(shown) })}</span>
      </div>
    </>
  )
}
