/** How long ago a moment (epoch milliseconds) was, in whole seconds. */
export function seconds(since: number): string {
  return ((Date.now() - since) / 1000).toFixed(0)
}
