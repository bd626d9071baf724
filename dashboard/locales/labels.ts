/** Labels on messages and "just now". Their language is a separate setting. */
export const labels = {
  en: {
    just_now: 'just now',
    sent: 'Sent {{time}}',
    seen: 'Seen {{time}}',
    sent_via: 'Sent via {{source}} {{time}}',
    edited: '· Edited',
  },
  vi: {
    just_now: 'vừa xong',
    sent: 'Đã gửi {{time}}',
    seen: 'Đã xem {{time}}',
    sent_via: 'Đã gửi qua {{source}} {{time}}',
    edited: '· Đã sửa',
  },
}
