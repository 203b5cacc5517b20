import type { nudge as English } from '#messages/en/nudge.ts'

export const nudge: typeof English = {
  label: 'اقتراح',
  passkey: 'يمكن في المرة القادمة تسجيل الدخول بالوجه أو البصمة أو رمز PIN للجهاز.',
  addPasskey: 'إضافة مفتاح مرور',
  passkeyAdded: 'مفتاح المرور جاهز. يمكنك اختياره عند تسجيل الدخول في المرة القادمة.',
  secondStep: 'تمنع الخطوة الثانية عند تسجيل الدخول الآخرين من الدخول حتى لو عرفوا كلمة المرور.',
  addSecondStep: 'إعداد خطوة ثانية',
  later: 'ليس الآن',
}
