import type { nudge as English } from '#messages/en/nudge.ts'

export const nudge: typeof English = {
  label: 'Sugestão',
  passkey: 'Da próxima vez, entre com o rosto, a digital ou o PIN do dispositivo.',
  addPasskey: 'Adicionar uma chave de acesso',
  passkeyAdded: 'Sua chave de acesso está pronta. Da próxima vez, escolha-a ao entrar.',
  secondStep: 'Uma segunda etapa ao entrar protege sua conta mesmo que alguém tenha sua senha.',
  addSecondStep: 'Configurar uma segunda etapa',
  later: 'Agora não',
}
