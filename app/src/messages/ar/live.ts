import type { LiveMessages } from '#messages/en/live.ts'
import { list, ltr, own, plural } from './forms.ts'

const live: LiveMessages['live'] = {
  newRows: (count) => plural(count, { zero: 'لا صفوف جديدة', one: 'صف جديد واحد', two: 'صفان جديدان', few: '# صفوف جديدة', many: '# صفًا جديدًا', other: '# صف جديد' }),
  newRowsHint: 'عرضها',
  rowsChanged: 'تغيّرت بعض الصفوف',
  rowsChangedHint: 'إعادة ترتيبها',
  stateLive: 'مباشر',
  stateLiveHint: 'ما يغيّره الآخرون يظهر هنا فور حدوثه.',
  stateJoining: 'جارٍ الاتصال المباشر',
  stateLost: 'غير مباشر حاليًا',
  stateLostHint: 'الاتصال المباشر منقطع. سيعود تلقائيًا، وسيُقرأ عندئذٍ ما فات.',
  stateOff: 'غير مباشر',
  stateOffHint: 'لا يرسل المشروع تغييرات هذا الجدول. يُرجى التحديث لعرض ما غيّره الآخرون.',
  someone: 'شخص ما',
  here: (names) => `هنا أيضًا: ${list(names)}`,
  hereMore: (count) => ltr(`+${count}`),
  isEditing: (name) => `قيد التعديل بواسطة ${own(name)}`,
  areEditing: (names) => `قيد التعديل بواسطة ${list(names)}`,
  isLooking: (name) => `قيد الاطلاع من ${own(name)}`,
  areLooking: (names) => `قيد الاطلاع من ${list(names)}`,
  deletedTitle: 'حذف شخص ما هذا السجل للتو',
  deletedHint: 'ما يظهر هنا هو ما كان يحتويه. لم يعد ممكنًا حفظ أي شيء فيه؛ يُرجى نسخ ما يلزمك منه.',
}

export const liveMessages: LiveMessages = { live }
