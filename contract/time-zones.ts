/** Names by which Intl still knows cities that were renamed. */
const RENAMED: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** The same name for all names of a time zone: `Asia/Ho_Chi_Minh` for `Asia/Saigon`. Unknown ones stay as they are. */
export function modernTimeZone(name: string): string {
  const canonical = canonicalTimeZone(name) ?? name
  return RENAMED[canonical] ?? canonical
}

/** Whether it is the name of a time zone. Offsets such as `+05:00` are none: they have no summer time. */
export function isTimeZone(name: string): boolean {
  return !/^[+-]/.test(name) && canonicalTimeZone(name) !== undefined
}

function canonicalTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
