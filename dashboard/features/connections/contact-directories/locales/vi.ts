import type { en } from './en.ts'

export const vi: typeof en = {
  directories: {
    text: 'Tìm khách hàng của bạn trong {{name}} ngay từ cuộc trò chuyện và thêm những người chưa có ở đó.',
    how: {
      look: 'Bên cạnh cuộc trò chuyện, bạn thấy khách hàng có trong {{name}} hay chưa, kèm liên kết đến hồ sơ của họ.',
      add: 'Khách hàng chưa có sẽ được thêm bằng một nút bấm, với tên, địa chỉ email và số điện thoại.',
      safe: 'Không có gì được thêm hay thay đổi trong {{name}} nếu không có người bấm nút đó.',
    },
    connect: 'Kết nối',
    change: 'Thay đổi kết nối',
    ways: 'Dùng khóa tạo ở đó, không cần địa chỉ công khai, hoặc trang cấp quyền của nhà cung cấp.',
    tokens: { hubspot: 'Khóa dịch vụ', intercom: 'Mã truy cập' },
    token_hints: {
      hubspot:
        'Trong HubSpot: Development → Keys → Service keys. Cần quyền crm.objects.contacts.read và crm.objects.contacts.write.',
      intercom: 'Trong Intercom: Settings → Integrations → Developer Hub → ứng dụng của bạn → Authentication.',
    },
    connected: 'Đã kết nối {{name}}.',
    account: 'Tài khoản',
    since: 'Kết nối từ',
  },
}
