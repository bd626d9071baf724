/** Stands for the account where a chat is shown that belongs to nobody, as on the demo page. No account has it. */
export const DEMO_ACCOUNT = '00000000-0000-4000-8000-000000000000'
