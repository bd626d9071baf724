import type { en } from './en.ts'

export const vi: typeof en = {
  github: {
    text: 'Theo dõi các issue GitHub mà khách hàng đang chờ, ngay từ cuộc trò chuyện.',
    failed: 'Không tải được kết nối',
    how: {
      link: 'Khi ai đó viết địa chỉ của một issue trong cuộc trò chuyện, khách hàng được đăng ký theo dõi issue đó, và một ghi chú riêng được thêm vào.',
      follow:
        'Khi issue được đóng hoặc mở lại trên GitHub, nó cũng thay đổi ở đây, và một ghi chú hiện trong cuộc trò chuyện của mọi người đang chờ.',
      safe: 'Không có gì thay đổi trên GitHub trừ khi bạn bật bên dưới. Máy chủ của bạn không cần địa chỉ công khai: GitHub được kiểm tra năm phút một lần.',
    },
    connect: 'Kết nối',
    change: 'Thay đổi kết nối',
    ways: 'Bằng ứng dụng riêng mà bạn tạo và cài đặt trên GitHub trong hai bước, hoặc bằng fine-grained token.',
    use_app: 'Kết nối bằng ứng dụng GitHub',
    change_app: 'Chọn kho mã khác',
    token: 'Token',
    token_hint: 'Trên GitHub: Settings → Developer settings → Fine-grained tokens, với quyền đọc và ghi Issues.',
    connected: 'Đã kết nối GitHub.',
    account: 'Tài khoản',
    kind: 'Kết nối bằng',
    kinds: { app: 'Ứng dụng', token: 'Token' },
    closes_issues: 'Đóng cả issue trên GitHub',
    closes_issues_hint:
      'Issue được chuyển sang hoàn thành hoặc đóng ở đây sẽ được đóng trên GitHub, và được mở lại khi mở lại ở đây.',
    repositories: 'Kho mã',
    repositories_text: 'Có thể theo dõi issue của các kho mã này.',
    repositories_failed: 'Không tải được kho mã',
    no_repositories: 'Chưa có. Hãy cấp cho ứng dụng hoặc token quyền truy cập một kho mã trên GitHub.',
  },
}
