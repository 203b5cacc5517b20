import type { consent as English } from '#messages/en/consent.ts'

export const consent: typeof English = {
  title: (app, project) => `${app} quer que você entre com sua conta de ${project}`,
  documentTitle: 'Permitir acesso',
  loading: 'Verificando quem está pedindo',
  place: 'Leva você para',
  placeHint: {
    web: 'Os apps escolhem o próprio nome. Continue só se conhecer este endereço.',
    device: 'Um programa neste computador. Continue só se você acabou de iniciá-lo.',
    app: 'Um app neste dispositivo. Continue só se você acabou de usá-lo.',
  },

  asWhom: 'Sua conta',
  guest: 'Visitante',
  another: 'Usar outra conta',

  may: 'O app poderá',
  scopes: {
    openid: 'Saber que é você sempre que voltar',
    email: 'Ver seu endereço de e-mail',
    phone: 'Ver seu número de telefone',
    profile: 'Ver seu nome, sua foto e o que mais estiver no seu perfil',
    offline_access: 'Manter o acesso quando você não estiver usando o app',
  },
  actForYou: (project) => `Agir por você em ${project}: ver e alterar o que você pode ver e alterar lá`,
  takeBack: 'Você pode retirar o acesso quando quiser na sua conta, em apps conectados.',
  allow: 'Permitir',
  deny: 'Não permitir',

  switchTitle: 'Usar outra conta',
  switchLead: (app, email) => `Esta solicitação fica com ${email}. Saia aqui e comece de novo em ${app}: você poderá então escolher qual conta usar.`,
  switchGo: 'Sair e voltar',
  switchStay: (email) => `Continuar com ${email}`,

  leavingTitle: 'Levando você de volta',
  leavingKnown: 'Você já deu acesso a este app antes.',
  leavingAllowed: 'O acesso foi permitido.',
  leavingDenied: 'O acesso não foi permitido.',
  leavingLead: (place) => `Se nada acontecer, continue para ${place}.`,
  leavingApp: 'Se o app não abrir sozinho, abra-o aqui. Depois você pode fechar esta página.',
  goOn: 'Continuar',
  openApp: 'Abrir o app',

  failures: {
    missing: { title: 'Não há nenhuma solicitação aqui', lead: 'Os apps abrem esta página para pedir acesso. Volte ao app e comece por lá.' },
    gone: {
      title: 'Esta solicitação não é mais válida',
      lead: 'Uma solicitação dura dez minutos e pertence à conta que a abriu primeiro. Volte ao app e comece de novo.',
    },
    expired: { title: 'Demorou demais', lead: 'Uma solicitação dura dez minutos. Nada foi permitido. Volte ao app e comece de novo.' },
    answered: { title: 'Esta solicitação já foi respondida', lead: 'Ela só pode ser respondida uma vez. Se o app ainda estiver esperando, volte a ele e comece de novo.' },
    origin: {
      title: 'Esta página não pode responder pelo projeto',
      lead: 'O projeto não conhece este endereço. Peça aos responsáveis que o adicionem aos endereços de redirecionamento permitidos.',
    },
    off: { title: 'Apps não podem pedir acesso aqui', lead: 'Este projeto não permite login em outros apps. Avise os responsáveis pelo app que enviou você.' },
    unsafe: { title: 'Não continuamos', lead: 'O app quer a resposta em um endereço que não é seguro abrir. Avise os responsáveis por ele.' },
  },
  backTo: (host) => `Voltar para ${host}`,
  home: 'Ir para a página inicial',
  signedInAs: (email) => `Você entrou como ${email}.`,
  otherProject: 'O app pode pertencer a outro projeto.',
  chooseProject: 'Escolher o projeto',
}
