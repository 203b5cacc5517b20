import type { ownData as English } from '#messages/en/own-data.ts'
import { ltr, own, plural } from './forms.ts'

export const ownData: typeof English = {
  export: {
    heading: 'تصدير بياناتك',
    lead: 'ملف واحد بكل ما في هذا الحساب، بتنسيق JSON: للاحتفاظ به أو لنقله إلى مكان آخر.',
    account: 'يحتوي على ملفك الشخصي وطرق تسجيل الدخول والجلسات والنشاط والتطبيقات المرتبطة.',
    tables: 'والصفوف التي تخصك',
    table: (name, column) => `${own(name)}، حيث ${own(column)} هو أنت`,
    start: 'تصدير',
    stop: 'إيقاف',
    working: (what) => `جارٍ قراءة ${what}`,
    workingAccount: 'حسابك',
    rows: (count) => plural(count, { zero: 'لا صفوف حتى الآن', one: 'صف واحد حتى الآن', two: 'صفان حتى الآن', few: '# صفوف حتى الآن', many: '# صفًا حتى الآن', other: '# صف حتى الآن' }),
    done: (size) => `تم حفظ الملف (${size}).`,
    partly: (names) => `تعذّرت قراءة بعض البيانات: ${names}. هذا مذكور في الملف أيضًا. تم حفظ الباقي.`,
    again: 'حفظ الملف مرة أخرى',
    cut: (name, count) => plural(count, {
      zero: `يحتوي ${own(name)} على صفوف تُركت كلها`,
      one: `يحتوي ${own(name)} على أكثر من صف واحد؛ وتُرك الباقي`,
      two: `يحتوي ${own(name)} على أكثر من صفين؛ وتُرك الباقي`,
      few: `يحتوي ${own(name)} على أكثر من # صفوف؛ وتُرك الباقي`,
      many: `يحتوي ${own(name)} على أكثر من # صفًا؛ وتُرك الباقي`,
      other: `يحتوي ${own(name)} على أكثر من # صف؛ وتُرك الباقي`,
    }),
  },

  remove: {
    heading: 'حذف الحساب',
    lead: 'نهائيًا: لا يمكن لأحد استعادته.',
    start: 'حذف الحساب',
    title: 'هل تريد حذف حسابك؟',
    goes: 'يُحذف فورًا:',
    goesAccount: 'حسابك وكل طرق تسجيل الدخول إليه',
    goesSessions: 'كل الجلسات على جميع الأجهزة',
    goesPhoto: 'صورتك',
    goesRows: (table) => `صفوفك في ${own(table)}`,
    stays: 'يبقى:',
    staysRows: (table) => `الصفوف في ${own(table)}، دون ذكر أنها تخصك`,
    staysFiles: 'الملفات التي رفعتها',
    blocks: 'قد تمنع هذه الجداول الحذف ما دامت فيها صفوف تخصك:',
    confirmLabel: (what) => `للتأكيد، يُرجى كتابة ${what.startsWith('+') ? ltr(what) : what}`,
    confirmWord: 'حذف',
    mismatch: (what) => `هذا ليس ${what.startsWith('+') ? ltr(what) : what}.`,
    submit: 'حذف الحساب نهائيًا',
    failed: 'حسابك لا يزال موجودًا',
    inUse: 'يجب أولًا معالجة الصفوف التي تخصك',
    inUseIn: (table) => `يُرجى حذف صفوفك في ${own(table)} أو نقلها إلى شخص آخر، ثم المحاولة مرة أخرى.`,
    inUseSomewhere: 'يُرجى سؤال القائمين على هذا التطبيق: لديهم ما لا يجوز أن يفقد حسابه.',
  },

  goodbye: {
    title: 'تم حذف حسابك',
    lead: (project) => `تم تسجيل خروجك من ${own(project)} في كل مكان. شكرًا لوجودك معنا.`,
    note: 'قد يستغرق الأمر حتى ساعة إلى أن يُلاحَظ ذلك على جهاز آخر.',
    again: 'الانتقال إلى صفحة تسجيل الدخول',
  },
}
