import type { Translated } from '../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  audit: {
    title: 'Nhật ký hoạt động',
    text: 'Những ai đã thay đổi gì trong tài khoản, nhóm, hộp thư và khách hàng.',
    export: 'Xuất',
    kind: 'Loại',
    all: 'Tất cả',
    who: 'Người thực hiện',
    everybody: 'Mọi người',
    what: 'Thao tác',
    when: 'Thời gian',
    nobody: 'Máy chủ',
    nothing: 'trống',
    none: 'Không có mục nào',
    none_text: 'Chưa có mục nào phù hợp.',
    failed: 'Không tải được nhật ký hoạt động',
    plan: 'Gói',
    kinds: {
      account: 'Tài khoản',
      user: 'Người dùng',
      invitation: 'Lời mời',
      inbox: 'Hộp thư',
      conversation: 'Hội thoại',
      message: 'Tin nhắn',
      customer: 'Khách hàng',
      password: 'Mật khẩu',
      two_factor: 'Xác thực hai bước',
      api_key: 'Khóa API',
      billing: 'Thanh toán',
      webhook: 'Webhook',
      session: 'Phiên trực tiếp',
    },
    actions: {
      account: {
        updated: 'Đã sửa tài khoản',
        address_changed: 'Đã đổi địa chỉ của hệ thống',
      },
      user: {
        role_changed: 'Đã đổi vai trò',
        disabled: 'Đã khóa người dùng',
        enabled: 'Đã mở khóa người dùng',
        archived: 'Đã lưu trữ người dùng',
        joined: 'Người dùng đã tham gia',
        left: 'Người dùng đã rời đi',
      },
      invitation: {
        created: 'Đã tạo lời mời',
        mailed: 'Đã gửi lời mời qua email',
        updated: 'Đã sửa lời mời',
        deleted: 'Đã thu hồi lời mời',
      },
      inbox: {
        created: 'Đã thêm hộp thư',
        updated: 'Đã sửa hộp thư',
        deleted: 'Đã xóa hộp thư',
        widget_settings_updated: 'Đã sửa khung chat',
        identity_secret_created: 'Đã tạo khóa ký',
        identity_secret_removed: 'Đã gỡ khóa ký',
        signed_identity_required: 'Đã bắt buộc danh tính có chữ ký',
        signed_identity_optional: 'Không còn bắt buộc danh tính có chữ ký',
      },
      conversation: {
        deleted: 'Đã xóa hội thoại',
      },
      message: {
        updated: 'Đã sửa tin nhắn',
        deleted: 'Đã xóa tin nhắn',
      },
      customer: {
        deleted: 'Đã xóa khách hàng',
        exported: 'Đã xuất dữ liệu khách hàng',
        erased: 'Đã xóa vĩnh viễn khách hàng',
      },
      password: {
        changed: 'Đã đổi mật khẩu',
        reset: 'Đã đặt lại mật khẩu',
      },
      two_factor: {
        turned_on: 'Đã bật xác thực hai bước',
        turned_off: 'Đã tắt xác thực hai bước',
      },
      webhook: {
        created: 'Đã thêm webhook',
        updated: 'Đã sửa webhook',
        deleted: 'Đã gỡ webhook',
        secret_revealed: 'Đã hiện khóa webhook',
        secret_rotated: 'Đã tạo mới khóa webhook',
      },
      api_key: {
        created: 'Đã tạo khóa API',
        revealed: 'Đã hiện khóa API',
        deleted: 'Đã xóa khóa API',
      },
      session: {
        watched: 'Đã xem phiên trực tiếp',
      },
      billing: {
        plan_changed: 'Đã đổi gói',
        canceled: 'Đã hủy đăng ký',
        card_changed: 'Đã đổi thẻ',
        card_removed: 'Đã gỡ thẻ',
      },
    },
  },
}
