import type { accountErrors as English } from '#messages/en/account-errors.ts'

export const accountErrors: typeof English = {
  portico_signed_out: { title: 'انتهت جلستك', whatToDo: 'يُرجى تسجيل الدخول مجددًا. عملك غير المحفوظ باقٍ في علامة التبويب هذه.' },
  portico_not_for_guests: { title: 'لا يمكن للضيوف القيام بذلك', whatToDo: 'يُرجى حفظ حسابك أولًا بإضافة عنوان بريد إلكتروني أو رقم هاتف.' },
  portico_not_for_apps: { title: 'لا يمكن لتطبيق القيام بذلك نيابةً عنك', whatToDo: 'يُرجى تسجيل الدخول بنفسك في متصفحك.' },
  portico_fresh_proof_needed: { title: 'مضى على تسجيل دخولك وقت أطول من المسموح لذلك', whatToDo: 'يُرجى تسجيل الخروج ثم الدخول مجددًا، وتكرار العملية خلال 15 دقيقة.' },
  portico_second_factor_needed: { title: 'يتطلب ذلك عاملك الثاني', whatToDo: 'يُرجى إدخال رمز منه، وتكرار العملية خلال 15 دقيقة.' },
  portico_session_not_found: { title: 'انتهت هذه الجلسة بالفعل', whatToDo: 'لا يلزم أي إجراء آخر.' },
  portico_account_in_use: { title: 'يجب أولًا معالجة الصفوف التي تخصك', whatToDo: 'يُرجى حذفها أو نقلها إلى شخص آخر، ثم المحاولة مرة أخرى.' },
  portico_photos_not_public: { title: 'لا يمكن عرض الصور هنا', whatToDo: 'الحاوية التي تحفظها ليست عامة. يُرجى إبلاغ القائمين على هذا التطبيق.' },
}
