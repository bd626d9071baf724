/** Query keys of integrations. */
export const integrationKeys = {
  list: ['integrations'] as const,
  deliveries: ['deliveries'] as const,
  deliveriesOf: (conversation_id: string) => ['deliveries', 'of', conversation_id] as const,
}
