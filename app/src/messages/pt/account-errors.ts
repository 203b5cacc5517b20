import type { accountErrors as English } from '#messages/en/account-errors.ts'

export const accountErrors: typeof English = {
  portico_signed_out: { title: 'Sua sessão terminou', whatToDo: 'Entre novamente. O que não foi salvo está guardado nesta aba.' },
  portico_not_for_guests: { title: 'Visitantes não podem fazer isso', whatToDo: 'Salve sua conta primeiro: adicione um endereço de e-mail ou um número de telefone.' },
  portico_not_for_apps: { title: 'Um app não pode fazer isso por você', whatToDo: 'Entre por conta própria, no seu navegador.' },
  portico_fresh_proof_needed: { title: 'Faz muito tempo que você entrou', whatToDo: 'Saia, entre novamente e repita em até 15 minutos.' },
  portico_second_factor_needed: { title: 'Isto exige seu segundo fator', whatToDo: 'Digite um código dele e repita em até 15 minutos.' },
  portico_session_not_found: { title: 'Esta sessão já terminou', whatToDo: 'Não há mais nada a fazer.' },
  portico_account_in_use: { title: 'É preciso resolver primeiro as linhas que pertencem a você', whatToDo: 'Exclua-as ou passe-as para outra pessoa e tente novamente.' },
  portico_photos_not_public: { title: 'As fotos não podem ser mostradas aqui', whatToDo: 'O bucket que as guarda não é público. Avise os responsáveis por este app.' },
}
