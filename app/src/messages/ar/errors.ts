import type { errors as English } from '#messages/en/errors.ts'
import { list, plural, sentences } from './forms.ts'

const tryAgain = 'يُرجى المحاولة مرة أخرى. إذا استمرت المشكلة، يُرجى إبلاغ القائمين على هذا التطبيق.'
const signInAgain = 'يُرجى تسجيل الدخول مجددًا. عملك غير المحفوظ باقٍ في علامة التبويب هذه.'
const newCode = 'يُرجى التحقق من الأرقام أو طلب رمز جديد.'
const waitAMinute = 'يُرجى الانتظار دقيقة، ثم المحاولة مرة أخرى.'
const askForAccess = 'إذا احتجت إلى ذلك، يُرجى طلب إذن الوصول من القائمين على هذا التطبيق.'

const passwordFaults: Readonly<Record<string, string>> = {
  length: 'قصيرة جدًا',
  characters: 'ينقصها بعض أنواع الأحرف المطلوبة (أحرف صغيرة وأحرف كبيرة وأرقام ورموز)',
  pwned: 'ظهرت في تسريب بيانات ويسهل تخمينها',
}

export const errors: typeof English = {
  byCode: {
    invalid_credentials: { title: 'عنوان البريد الإلكتروني أو كلمة المرور غير صحيح', whatToDo: 'يُرجى التحقق منهما أو تعيين كلمة مرور جديدة.' },
    email_not_confirmed: { title: 'لم يتم تأكيد هذا العنوان بعد', whatToDo: 'يُرجى فتح الرابط في الرسالة التي أرسلناها أو طلب رابط جديد.' },
    otp_expired: { title: 'هذا الرمز أو الرابط خاطئ أو مستخدَم أو قديم جدًا', whatToDo: newCode },
    over_request_rate_limit: { title: 'محاولات كثيرة جدًا', whatToDo: 'يُرجى الانتظار بضع دقائق، ثم المحاولة مرة أخرى.' },
  },
  byKind: {
    'signed-out': { title: 'يتطلب ذلك تسجيل الدخول', whatToDo: signInAgain },
    forbidden: { title: 'ليس مسموحًا لك بذلك', whatToDo: askForAccess },
    missing: { title: 'هذا غير موجود أو لا يحق لك الاطلاع عليه', whatToDo: 'ربما تم حذفه أو نقله.' },
    conflict: { title: 'هذا يتعارض مع ما هو موجود بالفعل', whatToDo: 'يُرجى إعادة التحميل لعرض أحدث البيانات، ثم المحاولة مرة أخرى.' },
    invalid: { title: 'تعذّر على الخادم قبول ما تم إدخاله', whatToDo: 'يُرجى التحقق منه والمحاولة مرة أخرى.' },
    busy: { title: 'الخادم مشغول', whatToDo: waitAMinute },
    offline: { title: 'تعذّر الوصول إلى الخادم', whatToDo: 'يُرجى التحقق من الاتصال، ثم المحاولة مرة أخرى. لم يُفقد شيء مما أدخلته.' },
    broken: { title: 'حدث عطل في الخادم', whatToDo: tryAgain },
  },
  sentences,
  weakPassword: (reasons) => ({
    title: 'كلمة المرور هذه سهلة التخمين',
    whatToDo: reasons.length > 0 ? `يُرجى اختيار كلمة مرور أخرى، فهذه ${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}.` : 'يُرجى اختيار كلمة مرور أطول.',
  }),
  waitSeconds: (seconds) => ({
    title: 'من المبكر طلب رسالة أخرى',
    whatToDo: plural(seconds, { zero: 'يمكنك طلب رسالة أخرى الآن.', one: 'يمكنك طلب رسالة أخرى بعد ثانية واحدة.', two: 'يمكنك طلب رسالة أخرى بعد ثانيتين.', few: 'يمكنك طلب رسالة أخرى بعد # ثوانٍ.', many: 'يمكنك طلب رسالة أخرى بعد # ثانية.', other: 'يمكنك طلب رسالة أخرى بعد # ثانية.' }),
  }),
  ownWords: 'وضع هذا المشروع هذه القاعدة.',
}
