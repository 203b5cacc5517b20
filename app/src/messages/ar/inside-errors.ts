import type { insideErrors as English } from '#messages/en/inside-errors.ts'

const tryAgain = 'يُرجى المحاولة مرة أخرى. إذا استمرت المشكلة، يُرجى إبلاغ القائمين على هذا التطبيق.'
const tellTheOwner = 'وحدهم القائمون على هذا التطبيق يمكنهم تغيير ذلك. يُرجى تزويدهم بالرمز أدناه.'
const signInAgain = 'يُرجى تسجيل الدخول مجددًا. عملك غير المحفوظ باقٍ في علامة التبويب هذه.'
const waitAMinute = 'يُرجى الانتظار دقيقة، ثم المحاولة مرة أخرى.'
const askForAccess = 'إذا احتجت إلى ذلك، يُرجى طلب إذن الوصول من القائمين على هذا التطبيق.'
const checkTheValue = 'يُرجى تصحيح القيمة والحفظ مرة أخرى.'
const reload = 'يُرجى إعادة تحميل الصفحة: تغيّر المشروع.'
const again = 'يُرجى المحاولة مرة أخرى.'
const soon = 'يُرجى المحاولة مرة أخرى بعد لحظات.'

export const insideErrors: typeof English = {
  '22001': { title: 'أحد النصوص طويل جدًا', whatToDo: checkTheValue },
  '22003': { title: 'أحد الأرقام كبير جدًا أو صغير جدًا', whatToDo: checkTheValue },
  '22007': { title: 'تاريخ أو وقت غير صالح', whatToDo: checkTheValue },
  '22008': { title: 'تاريخ أو وقت خارج النطاق', whatToDo: checkTheValue },
  '22P02': { title: 'إحدى القيم لا تناسب حقلها', whatToDo: checkTheValue },
  '23502': { title: 'حقل مطلوب فارغ', whatToDo: 'يُرجى ملؤه والحفظ مرة أخرى.' },
  '23001': { title: 'لا تزال سجلات أخرى تشير إلى هذا السجل', whatToDo: 'يُرجى تغيير السجلات المرتبطة أو إزالتها أولًا.' },
  '23503': { title: 'يعتمد سجل آخر على هذا السجل، أو لم يعد سجل يشير إليه موجودًا', whatToDo: 'يُرجى تغيير السجلات المرتبطة أو إزالتها أولًا.' },
  '23505': { title: 'يوجد بالفعل سجل بهذه القيمة', whatToDo: 'يُرجى اختيار قيمة أخرى.' },
  '23514': { title: 'إحدى القيم تخالف قاعدة في هذا الجدول', whatToDo: checkTheValue },
  '23P01': { title: 'هذا يتداخل مع سجل آخر', whatToDo: 'يُرجى اختيار نطاق آخر.' },
  '25006': { title: 'لا يمكن تغيير شيء هنا', whatToDo: askForAccess },
  '40001': { title: 'غيّر شخص ما هذا في اللحظة نفسها', whatToDo: again },
  '40P01': { title: 'غيّر شخص ما هذا في اللحظة نفسها', whatToDo: again },
  '42501': { title: 'ليس مسموحًا لك بذلك', whatToDo: askForAccess },
  '42703': { title: 'لم يعد أحد الأعمدة موجودًا', whatToDo: reload },
  '42883': { title: 'لم تعد إحدى الدوال موجودة', whatToDo: reload },
  '42P01': { title: 'لم يعد هذا الجدول موجودًا', whatToDo: reload },
  '42P17': { title: 'سياسات هذا الجدول تحيل إلى نفسها', whatToDo: tellTheOwner },
  '428C9': { title: 'هذه القيمة محسوبة ولا يمكن تعيينها', whatToDo: 'يُرجى ترك الحقل كما هو.' },
  '53300': { title: 'قاعدة البيانات مشغولة', whatToDo: waitAMinute },
  '53400': { title: 'قاعدة البيانات مشغولة', whatToDo: waitAMinute },
  '55P03': { title: 'يغيّر شخص ما هذا الآن', whatToDo: soon },
  '57014': { title: 'استغرق ذلك وقتًا طويلًا فتم إيقافه', whatToDo: 'يُرجى تضييق النطاق بالتصفية، ثم المحاولة مرة أخرى.' },
  PGRST000: { title: 'تعذّر الوصول إلى قاعدة البيانات', whatToDo: waitAMinute },
  PGRST001: { title: 'تعذّر الوصول إلى قاعدة البيانات', whatToDo: waitAMinute },
  PGRST002: { title: 'قاعدة البيانات قيد بدء التشغيل', whatToDo: soon },
  PGRST003: { title: 'قاعدة البيانات مشغولة', whatToDo: waitAMinute },
  PGRST100: { title: 'تعذّرت قراءة التصفية أو الترتيب', whatToDo: 'يُرجى التغيير أو الإزالة.' },
  PGRST102: { title: 'تعذّر على الخادم قراءة ما تم إرساله', whatToDo: tryAgain },
  PGRST103: { title: 'السجلات أقل مما طُلب', whatToDo: 'يُرجى العودة إلى أولها.' },
  PGRST106: { title: 'هذا المخطط غير متاح للتطبيق', whatToDo: tellTheOwner },
  PGRST116: { title: 'هذا السجل غير موجود أو لا يحق لك الاطلاع عليه', whatToDo: 'ربما تم حذفه. يُرجى العودة إلى القائمة.' },
  PGRST200: { title: 'لم تعد هذه الجداول مرتبطة', whatToDo: reload },
  PGRST201: { title: 'هذه الجداول مرتبطة بأكثر من طريقة', whatToDo: tellTheOwner },
  PGRST202: { title: 'لم تعد هذه الدالة موجودة', whatToDo: reload },
  PGRST203: { title: 'توجد عدة دوال بهذا الاسم', whatToDo: tellTheOwner },
  PGRST204: { title: 'لم يعد أحد الأعمدة موجودًا', whatToDo: reload },
  PGRST205: { title: 'لم يعد هذا الجدول موجودًا', whatToDo: reload },
  PGRST300: { title: 'ينقص الخادم مفتاح التوقيع', whatToDo: tellTheOwner },
  PGRST301: { title: 'لا يقبل الخادم هذه الجلسة', whatToDo: signInAgain },
  PGRST302: { title: 'يتطلب ذلك تسجيل الدخول', whatToDo: 'يُرجى تسجيل الدخول، ثم المحاولة مرة أخرى.' },
  PGRST303: { title: 'انتهت جلستك', whatToDo: signInAgain },
}
