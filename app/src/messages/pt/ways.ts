import type { ways as English } from '#messages/en/ways.ts'

export const ways: typeof English = {
  passkey: 'Entrar com chave de acesso',
  passkeyUnused: 'Nenhuma chave de acesso foi usada. Tente novamente ou escolha outra forma.',
  passkeyElsewhere: 'Chaves de acesso não funcionam neste endereço do app. Escolha outra forma.',
  with: (provider) => `Continuar com ${provider}`,
  lastUsed: 'Último uso',
  loadFailed: 'Não foi possível carregar as outras formas de entrar.',

  phone: {
    way: 'Continuar com telefone',
    title: 'Entrar com telefone',
    lead: 'Enviaremos um código para seu número. Sua operadora pode cobrar pela mensagem.',
    country: 'País',
    number: 'Número de telefone',
    missing: 'Digite seu número de telefone.',
    malformed: 'Este número está incompleto. Digite como você discaria ou com + e o código do país.',
    sendTo: (number) => `O código será enviado para ${number}.`,
    submit: 'Enviar o código',
    submitLocked: (seconds) => `Enviar o código (${seconds} s)`,
    whatsApp: 'Enviar por WhatsApp',
    unknown: 'Não há conta com este número.',
    unknownHint: 'Confira o número ou escolha outra forma.',
    codeTitle: 'Confira seu telefone',
    codeLead: 'Digite o código da mensagem que enviamos.',
    change: (number) => `Alterar o número ${number}`,
    code: 'Código da mensagem',
    codeHint: 'Pode levar um minuto para chegar.',
    codeMissing: 'Digite o código da mensagem.',
    codeWrong: 'Este código está errado ou expirou. Confira os dígitos ou envie um novo.',
    notThere: 'Não recebeu a mensagem?',
    sentAgain: 'Um novo código está a caminho. O anterior não funciona mais.',
  },

  sso: {
    way: 'Continuar com sua organização',
    title: 'Entrar com sua organização',
    lead: 'Digite seu e-mail de trabalho. Levaremos você ao login da sua organização.',
    email: 'E-mail de trabalho',
    submit: 'Continuar',
    unknown: (domain) => `Nenhuma organização aqui usa ${domain}`,
    unknownHint: 'Confira o endereço ou escolha outra forma de entrar.',
  },

  wallet: {
    with: (wallet) => `Continuar com ${wallet}`,
    ethereum: 'carteira Ethereum',
    solana: 'carteira Solana',
    statement: (project) => `Entrar em ${project}. Isto não custa nada e não movimenta nada.`,
    refused: 'A carteira não assinou',
    refusedHint: 'Nada mudou. Abra a carteira, escolha uma conta e tente novamente.',
  },

  guest: {
    way: 'Explorar como visitante',
    hint: 'O que você fizer fica neste navegador até você salvar sua conta.',
  },

  signUp: {
    missing: (label) => `Preencha “${label}”.`,
    malformedNumber: 'Digite um número.',
    malformedUrl: 'Digite um endereço completo, como https://example.com.',
    choose: 'Escolher',
    agree: {
      two: (one, other) => ['Aceito os ', one, ' e a ', other, '.'],
      one: (page) => ['Aceito: ', page, '.'],
      none: 'Aceito os termos deste app.',
    },
    goOn: {
      two: (one, other) => ['Ao continuar, você aceita os ', one, ' e a ', other, '.'],
      one: (page) => ['Ao continuar, você aceita: ', page, '.'],
      none: 'Ao continuar, você aceita os termos deste app.',
    },
    terms: 'termos de uso',
    privacy: 'política de privacidade',
    agreeMissing: 'É preciso aceitar para criar uma conta.',
    contact: 'Pedir uma conta',
  },

  password: {
    atLeast: (count) => `Pelo menos ${count} caracteres`,
    classes: { letters: 'Uma letra', lower: 'Uma letra minúscula', upper: 'Uma letra maiúscula', digits: 'Um dígito', symbols: 'Um símbolo' },
    met: 'cumprido',
    notMet: 'ainda não cumprido',
    strength: 'Força',
    strengths: ['muito fraca', 'fraca', 'razoável', 'boa', 'forte'],
  },

  keep: {
    notice: 'Você está aqui como visitante. Se sair ou limpar este navegador, perderá o que fez.',
    way: 'Salvar sua conta',
    title: 'Salve sua conta',
    lead: 'Com um endereço e uma senha, o que você fez como visitante continua sendo seu.',
    submit: 'Salvar conta',
    takenTitle: 'Já existe uma conta com este endereço',
    takenHint: 'Use outro endereço para manter o que fez como visitante. Ou entre nessa conta: o que você fez como visitante ficará fora do seu alcance.',
    signInInstead: 'Abandonar o que fiz e entrar',
    codeTitle: 'Confirme seu endereço',
    codeLead: 'Digite o código do e-mail que enviamos ou abra o link dele neste navegador.',
    later: 'Agora não',
  },
}
