import type { en } from './en.ts'

export const vi: typeof en = {
  oauth: {
    connecting: 'Đang kết nối…',
    connected: 'Đã kết nối.',
    app_updated: 'Đã cập nhật các kho mã của ứng dụng.',
    failed: 'Không thể cấp quyền cho {{name}}',
    connect: 'Kết nối',
    reconnect: 'Kết nối lại',
    use_token: 'Kết nối bằng khóa này',
    app: 'Ứng dụng của bạn tại {{vendor}}',
    app_text:
      '{{vendor}} xin quyền dưới tên một ứng dụng. Hãy tạo ứng dụng ở đó, nhập URL chuyển hướng này và sao chép thông tin xác thực của ứng dụng vào đây.',
    app_of_server:
      'Người vận hành máy chủ này đã thiết lập sẵn. Chỉ nhập ứng dụng riêng nếu bạn muốn dùng nó thay thế.',
    app_missing: 'Trước tiên hãy nhập ứng dụng bên dưới.',
    redirect_uri: 'URL chuyển hướng',
    copied: 'Đã sao chép vào bộ nhớ tạm!',
    client_id: 'Client ID',
    client_secret: 'Client secret',
    signing_secret: 'Signing secret',
    saved: 'Đã lưu ứng dụng.',
    remove_app: 'Gỡ ứng dụng',
    remove_app_confirm: 'Gỡ ứng dụng? Các kết nối dùng ứng dụng này sẽ ngừng hoạt động khi cần gia hạn quyền truy cập.',
    app_failed: 'Không tải được ứng dụng',
  },
}
