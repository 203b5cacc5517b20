import type { errors as English } from '#messages/en/errors.ts'
import { list, sentences } from './forms.ts'

const tryAgain = 'Tente novamente. Se o problema continuar, avise os responsáveis por este app.'
const signInAgain = 'Entre novamente. O que não foi salvo está guardado nesta aba.'
const newCode = 'Confira os dígitos ou envie um novo código.'
const waitAMinute = 'Aguarde um minuto e tente novamente.'
const askForAccess = 'Se precisar, peça acesso aos responsáveis por este app.'

const passwordFaults: Readonly<Record<string, string>> = {
  length: 'ela é muito curta',
  characters: 'faltam tipos de caracteres obrigatórios (minúsculas, maiúsculas, dígitos, símbolos)',
  pwned: 'ela apareceu em um vazamento de dados e é fácil de adivinhar',
}

export const errors: typeof English = {
  byCode: {
    invalid_credentials: { title: 'O endereço de e-mail ou a senha está incorreto', whatToDo: 'Confira os dois ou defina uma nova senha.' },
    email_not_confirmed: { title: 'Este endereço ainda não foi confirmado', whatToDo: 'Abra o link no e-mail que enviamos ou envie um novo.' },
    otp_expired: { title: 'Este código ou link está errado, já foi usado ou expirou', whatToDo: newCode },
    over_request_rate_limit: { title: 'Muitas tentativas', whatToDo: 'Aguarde alguns minutos e tente novamente.' },
  },
  byKind: {
    'signed-out': { title: 'É preciso entrar para fazer isso', whatToDo: signInAgain },
    forbidden: { title: 'Você não tem permissão para fazer isso', whatToDo: askForAccess },
    missing: { title: 'Isto não existe ou você não pode ver', whatToDo: 'Pode ter sido excluído ou movido.' },
    conflict: { title: 'Isto entra em conflito com o que já existe', whatToDo: 'Recarregue para ver a versão mais recente e tente novamente.' },
    invalid: { title: 'O servidor não aceitou o que foi digitado', whatToDo: 'Confira e tente novamente.' },
    busy: { title: 'O servidor está ocupado', whatToDo: waitAMinute },
    offline: { title: 'Não foi possível acessar o servidor', whatToDo: 'Verifique sua conexão e tente novamente. Nada do que você digitou foi perdido.' },
    broken: { title: 'Houve uma falha no servidor', whatToDo: tryAgain },
  },
  sentences,
  weakPassword: (reasons) => ({
    title: 'Esta senha é muito fácil de adivinhar',
    whatToDo: reasons.length > 0 ? `Escolha outra: ${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}.` : 'Escolha uma mais longa.',
  }),
  waitSeconds: (seconds) => ({
    title: 'Cedo demais para outra mensagem',
    whatToDo: seconds === 1 ? 'Você pode pedir outra em 1 segundo.' : `Você pode pedir outra em ${seconds} segundos.`,
  }),
  ownWords: 'Esta regra foi definida pelo projeto.',
}
