import type { onward as English } from '#messages/en/onward.ts'
import { own } from './forms.ts'

export const onward: typeof English = {
  going: 'جارٍ إعادتك',
  goingLead: (host) => `إذا لم يحدث شيء، يُرجى المتابعة إلى ${own(host)} بنفسك.`,
  goOn: 'متابعة',
  refusedTitle: 'تم تسجيل دخولك، لكننا لم نُعِدك',
  refusedLead: 'العنوان الذي جئت به ليس من العناوين التي يجوز لهذا التطبيق الإحالة إليها. إذا كان موضع ثقتك، يمكنك العودة إليه بنفسك؛ ويُرجى إبلاغ القائمين عليه.',
  refusedHost: (host) => `كان العنوان على ${own(host)}.`,
  home: 'إلى الصفحة الرئيسية',
}
