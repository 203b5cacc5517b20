import type { accounts as English } from '#messages/en/accounts.ts'
import { own } from './forms.ts'

export const accounts: typeof English = {
  title: 'اختيار حساب',
  lead: 'تبقى هذه الحسابات مسجّلة الدخول في هذا المتصفح.',
  now: 'قيد الاستخدام',
  guest: 'ضيف',
  end: (name) => `تسجيل خروج ${own(name)}`,
  another: 'استخدام حساب آخر',
  notKept: 'اخترت عدم إبقاء الدخول مسجّلًا: سيُسجَّل خروج هذا الحساب هنا فور انتقالك إلى حساب آخر.',
  endedTitle: (name) => `لم يعد ${own(name)} مسجّل الدخول هنا`,
  endedHint: 'أُنهيت الجلسة أو انتهت صلاحيتها. يُرجى تسجيل الدخول مرة أخرى.',
  signInAgain: 'تسجيل الدخول مجددًا',
}
