export function settingsKey(inbox_id: string) {
  return ['widget-settings', inbox_id]
}
