import type { onward as English } from '#messages/en/onward.ts'

export const onward: typeof English = {
  going: 'Levando você de volta',
  goingLead: (host) => `Se nada acontecer, continue para ${host}.`,
  goOn: 'Continuar',
  refusedTitle: 'Você entrou, mas não levamos você de volta',
  refusedLead: 'Este app não pode encaminhar ninguém para o endereço de onde você veio. Se confia nele, volte por conta própria e avise os responsáveis.',
  refusedHost: (host) => `O endereço ficava em ${host}.`,
  home: 'Ir para a página inicial',
}
