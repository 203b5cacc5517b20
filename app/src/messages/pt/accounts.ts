import type { accounts as English } from '#messages/en/accounts.ts'

export const accounts: typeof English = {
  title: 'Escolha uma conta',
  lead: 'Estas contas permanecem conectadas neste navegador.',
  now: 'Em uso',
  guest: 'Visitante',
  end: (name) => `Sair da conta de ${name}`,
  another: 'Usar outra conta',
  notKept: 'Você escolheu não permanecer conectado: esta conta sairá daqui assim que você trocar para outra.',
  endedTitle: (name) => `${name} não está mais conectado aqui`,
  endedHint: 'A sessão foi encerrada ou expirou. Entre novamente.',
  signInAgain: 'Entrar novamente',
}
