import type { en } from './en.ts'

export const vi: typeof en = {
  connections: {
    not_connected: 'Chưa kết nối',
    states: {
      connected: 'Đã kết nối',
      waiting: 'Đang chờ tin nhắn đầu tiên',
      resting: 'Tạm dừng đến {{time}}',
      failing: 'Bị gián đoạn',
      broken: 'Cần xử lý',
    },
  },
}
