import type { accountErrors as English } from '#messages/en/account-errors.ts'

export const accountErrors: typeof English = {
  portico_signed_out: { title: '会话已结束', whatToDo: '请重新登录。未保存的内容保留在此标签页中。' },
  portico_not_for_guests: { title: '访客无法执行此操作', whatToDo: '请先保存账号：添加电子邮件地址或电话号码。' },
  portico_not_for_apps: { title: '应用无法代为执行此操作', whatToDo: '请在浏览器中亲自登录。' },
  portico_fresh_proof_needed: { title: '上次登录距今太久', whatToDo: '请退出后重新登录，并在 15 分钟内再次操作。' },
  portico_second_factor_needed: { title: '此操作需要第二步验证', whatToDo: '请输入验证码，并在 15 分钟内再次操作。' },
  portico_session_not_found: { title: '此会话已经结束', whatToDo: '无需再做任何操作。' },
  portico_account_in_use: { title: '需要先处理属于此账号的行', whatToDo: '请删除这些行或转给他人，然后重试。' },
  portico_photos_not_public: { title: '此处无法显示照片', whatToDo: '保存照片的存储桶未公开。请告知此应用的管理员。' },
}
