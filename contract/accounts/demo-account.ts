/** The account id of the demo page, whose chat belongs to no account. No account has it. */
export const DEMO_ACCOUNT = '00000000-0000-4000-8000-000000000000'
