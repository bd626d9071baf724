import type { OnboardingStatus } from '#contract/accounts/onboarding.ts'
import type { Context } from '../../../context.ts'
import { planInUse } from '../accounts/accounts.ts'

/** Which onboarding steps an account and the caller have done. */
export async function readOnboarding(
  { db, config }: Pick<Context, 'db' | 'config'>,
  account_id: string,
  user_id: number,
): Promise<OnboardingStatus> {
  const row = await db
    .selectFrom('accounts')
    .select((eb) => [
      'subscription_plan',
      eb
        .exists(
          eb
            .selectFrom('widget_settings')
            .select('id')
            .whereRef('account_id', '=', 'accounts.id')
            // Every inbox has default settings; this finds changed ones, or a widget seen on a website.
            .where((own) =>
              own.or([own('updated_at', '>', own.ref('created_at')), own('last_seen_at', 'is not', null)]),
            ),
        )
        .as('has_configured_inbox'),
      eb
        .exists(
          eb
            .selectFrom('conversations')
            .select('id')
            .whereRef('account_id', '=', 'accounts.id')
            .where('first_replied_at', 'is not', null)
            .where('source', '<>', 'sandbox'),
        )
        .as('has_answered'),
      eb
        .exists(
          eb
            .selectFrom('users')
            .select('id')
            .whereRef('account_id', '=', 'accounts.id')
            .where('id', '=', user_id)
            .where((user) => user.or([user('full_name', 'is not', null), user('display_name', 'is not', null)])),
        )
        .as('has_configured_profile'),
      eb
        .exists(
          eb.selectFrom('users').select('id').whereRef('account_id', '=', 'accounts.id').where('id', '!=', user_id),
        )
        .as('has_teammates'),
      eb
        .exists(eb.selectFrom('user_invitations').select('id').whereRef('account_id', '=', 'accounts.id'))
        .as('has_invited'),
      eb
        .exists(
          eb
            .selectFrom('authorizations')
            .select('id')
            .whereRef('account_id', '=', 'accounts.id')
            .where('removed_at', 'is', null),
        )
        .as('has_integrations'),
    ])
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return {
    has_configured_inbox: !!row.has_configured_inbox,
    has_configured_profile: !!row.has_configured_profile,
    has_invited_teammates: !!row.has_teammates || !!row.has_invited,
    has_integrations: !!row.has_integrations,
    has_answered: !!row.has_answered,
    has_upgraded_subscription: planInUse(config, row.subscription_plan) !== 'starter',
  }
}
